//! Rows of samples with a checked size, so that no metric has to ask again how long its buffers are.

use crate::MetricError;

/// Borrowed samples, row by row from the top, the channels of a place side by side.
///
/// The size is checked once, in [`View::new`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View<'a, T> {
    width: usize,
    height: usize,
    channels: usize,
    data: &'a [T],
}

/// An 8-bit picture: 0 … 255 in the file's own encoding, red first.
pub type Pixels<'a> = View<'a, u8>;

impl<'a, T> View<'a, T> {
    /// Looks at `data` as `height` rows of `width` places of `channels` samples.
    ///
    /// # Errors
    /// [`MetricError::NoArea`] when a side is 0, [`MetricError::Channels`] without channels,
    /// [`MetricError::BufferLength`] when `data` is longer or shorter.
    ///
    /// ```
    /// let row = juror_metrics::View::new(2, 1, 3, &[1, 2, 3, 4, 5, 6_u8])?;
    /// assert_eq!(row.row(0), [1, 2, 3, 4, 5, 6]);
    /// assert!(juror_metrics::View::new(2, 1, 3, &[1, 2, 3_u8]).is_err());
    /// # Ok::<(), juror_metrics::MetricError>(())
    /// ```
    pub fn new(
        width: usize,
        height: usize,
        channels: usize,
        data: &'a [T],
    ) -> Result<Self, MetricError> {
        if width == 0 || height == 0 {
            return Err(MetricError::NoArea { width, height });
        }
        if channels == 0 {
            return Err(MetricError::Channels {
                expected: "at least 1 channel",
                found: 0,
            });
        }
        let expected = width
            .checked_mul(height)
            .and_then(|places| places.checked_mul(channels));
        if expected != Some(data.len()) {
            return Err(MetricError::BufferLength {
                width,
                height,
                channels,
                expected: expected.unwrap_or(usize::MAX),
                found: data.len(),
            });
        }
        Ok(Self {
            width,
            height,
            channels,
            data,
        })
    }

    /// Places in a row; at least 1.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows; at least 1.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Samples of one place; at least 1.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// All samples, row-major.
    pub fn data(&self) -> &'a [T] {
        self.data
    }

    /// The samples of a row.
    ///
    /// # Panics
    /// If there is no such row.
    pub fn row(&self, y: usize) -> &'a [T] {
        let len = self.width * self.channels;
        &self.data[y * len..(y + 1) * len]
    }

    /// The rows from the top.
    pub fn rows(&self) -> std::slice::ChunksExact<'a, T> {
        self.data.chunks_exact(self.width * self.channels)
    }

    /// Width and height.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// Errors unless the candidate has this reference's size.
    ///
    /// # Errors
    /// [`MetricError::SizeMismatch`].
    pub fn require_same_size<U>(&self, candidate: &View<'_, U>) -> Result<(), MetricError> {
        if self.size() == candidate.size() {
            return Ok(());
        }
        Err(MetricError::SizeMismatch {
            reference: self.size(),
            candidate: candidate.size(),
        })
    }

    /// Errors unless the candidate has this reference's size and channels.
    ///
    /// # Errors
    /// Also [`MetricError::ChannelMismatch`].
    pub fn require_same_shape<U>(&self, candidate: &View<'_, U>) -> Result<(), MetricError> {
        self.require_same_size(candidate)?;
        if self.channels == candidate.channels {
            return Ok(());
        }
        Err(MetricError::ChannelMismatch {
            reference: self.channels,
            candidate: candidate.channels,
        })
    }

    /// Errors unless there is one channel.
    ///
    /// # Errors
    /// [`MetricError::Channels`].
    pub fn require_grey(&self) -> Result<(), MetricError> {
        self.require_channels(1, "1 channel")
    }

    /// Errors unless there are three channels.
    pub(crate) fn require_rgb(&self) -> Result<(), MetricError> {
        self.require_channels(3, "3 channels (red, green, blue)")
    }

    fn require_channels(&self, count: usize, expected: &'static str) -> Result<(), MetricError> {
        if self.channels == count {
            return Ok(());
        }
        Err(MetricError::Channels {
            expected,
            found: self.channels,
        })
    }
}

/// Owned samples of a checked size.
#[derive(Clone, Debug, PartialEq)]
pub struct Image<T> {
    width: usize,
    height: usize,
    channels: usize,
    data: Vec<T>,
}

impl<T> Image<T> {
    /// Takes `data` as `height` rows of `width` places of `channels` samples.
    ///
    /// # Errors
    /// As [`View::new`].
    pub fn new(
        width: usize,
        height: usize,
        channels: usize,
        data: Vec<T>,
    ) -> Result<Self, MetricError> {
        View::new(width, height, channels, &data)?;
        Ok(Self {
            width,
            height,
            channels,
            data,
        })
    }

    /// For data whose length is right by construction.
    pub(crate) fn of(width: usize, height: usize, channels: usize, data: Vec<T>) -> Self {
        debug_assert_eq!(data.len(), width * height * channels);
        Self {
            width,
            height,
            channels,
            data,
        }
    }

    /// Looks at the samples.
    pub fn view(&self) -> View<'_, T> {
        View {
            width: self.width,
            height: self.height,
            channels: self.channels,
            data: &self.data,
        }
    }

    /// All samples, row-major.
    pub fn data(&self) -> &[T] {
        &self.data
    }

    /// Gives the samples away.
    pub fn into_data(self) -> Vec<T> {
        self.data
    }
}

impl<T: Copy> View<'_, T> {
    /// One channel by itself; channels are counted from 0.
    ///
    /// # Errors
    /// [`MetricError::Channels`] if there is no such channel.
    pub fn channel(&self, idx: usize) -> Result<Image<T>, MetricError> {
        if idx >= self.channels {
            return Err(MetricError::Channels {
                expected: "a channel of the picture",
                found: self.channels,
            });
        }
        let data = self.data.iter().skip(idx).step_by(self.channels);
        Ok(Image::of(
            self.width,
            self.height,
            1,
            data.copied().collect(),
        ))
    }

    /// A copy that owns its samples.
    pub fn to_image(&self) -> Image<T> {
        Image::of(self.width, self.height, self.channels, self.data.to_vec())
    }
}
