//! Packs of networks that the user opens: where their bytes are, and which outputs they are run on.

use std::path::PathBuf;

use juror_session::conditions::{NetworkPair, NetworkValue};

use crate::host::Host;

/// Which networks measure.
#[derive(Debug, clap::Args)]
pub(crate) struct NetworkArgs {
    /// A pack of a network, as a folder or a ZIP: what files made elsewhere lack of conditions is computed with it, and
    /// `--metrics clip,dino,lpips`. Several times for several; see the manual's chapter on metrics.
    #[arg(long, value_name = "FOLDER|ZIP")]
    pack: Vec<PathBuf>,
    /// Whose numbers networks give: those of the authors' code with its slips, or of the metric as its own paper defines it.
    #[arg(long, value_enum, default_value = "released", requires = "pack")]
    network_profile: NetworkProfile,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum NetworkProfile {
    /// As the authors' code computes it.
    Released,
    /// As the metric is defined.
    Standard,
}

/// What came of pairs: values, and how many of those that were missing stay so.
#[derive(Debug, Default)]
pub(crate) struct Completed {
    pub(crate) values: Vec<NetworkValue>,
    pub(crate) num_failed: usize,
}

#[cfg(feature = "networks")]
pub(crate) use with_networks::Opened;
#[cfg(not(feature = "networks"))]
pub(crate) use without_networks::Opened;

#[cfg(not(feature = "networks"))]
mod without_networks {
    use super::{Completed, Host, NetworkArgs, NetworkPair};
    use juror_model::tree::FileId;
    use juror_session::measure::Measure;
    use juror_session::measure::run::MeasurePair;
    use juror_session::view::lint::LintFeatures;

    /// No network: this program was built without what runs one.
    #[derive(Debug)]
    pub(crate) struct Opened {}

    impl Opened {
        /// Says so where a pack is named.
        pub(crate) fn open(args: &NetworkArgs) -> anyhow::Result<Self> {
            let _ = args.network_profile;
            if args.pack.is_empty() {
                return Ok(Self {});
            }
            anyhow::bail!(
                "this program was built without the feature `networks`, so that no pack can run: cargo build -p juror_cli --features networks"
            )
        }

        #[expect(
            clippy::unused_self,
            reason = "the same call with and without networks"
        )]
        pub(crate) fn complete(&mut self, _: &Host, _: &[NetworkPair]) -> Completed {
            Completed::default()
        }

        #[expect(
            clippy::unused_self,
            reason = "the same call with and without networks"
        )]
        pub(crate) fn inception(&mut self, _: &[u8]) -> anyhow::Result<Vec<f64>> {
            anyhow::bail!("a distance of folders needs a pack for `inception`: --pack FOLDER")
        }

        #[expect(
            clippy::unused_self,
            reason = "the same call with and without networks"
        )]
        pub(crate) fn describe_inception(&self) -> String {
            String::new()
        }

        /// No pack is open, so none is the wrong one.
        #[expect(
            clippy::unused_self,
            clippy::unnecessary_wraps,
            reason = "the same call with and without networks"
        )]
        pub(crate) fn expect_features(&self) -> anyhow::Result<()> {
            Ok(())
        }

        /// No network gives features here.
        #[expect(
            clippy::unused_self,
            clippy::unnecessary_wraps,
            reason = "the same call with and without networks"
        )]
        pub(crate) fn features(
            &mut self,
            _: &Host,
            _: &[FileId],
        ) -> anyhow::Result<Vec<LintFeatures>> {
            Ok(Vec::new())
        }

        /// No network compares pictures here.
        #[expect(
            clippy::unused_self,
            reason = "the same call with and without networks"
        )]
        pub(crate) fn comparer(&self) -> String {
            String::new()
        }

        #[expect(
            clippy::unused_self,
            reason = "the same call with and without networks"
        )]
        pub(crate) fn cosine(&mut self, _: &[u8], _: &[u8]) -> anyhow::Result<f64> {
            anyhow::bail!("a cosine of pictures needs a pack for clip or dino: --pack FOLDER")
        }

        /// No metric is a network's here.
        #[expect(
            clippy::unused_self,
            reason = "the same call with and without networks"
        )]
        pub(crate) fn has(&self, _: &str) -> bool {
            false
        }

        #[expect(
            clippy::unused_self,
            reason = "the same call with and without networks"
        )]
        pub(crate) fn measure(&mut self, _: &Host, _: &MeasurePair, _: &mut [Measure]) {}
    }
}

#[cfg(feature = "networks")]
mod with_networks {
    use std::fs::File;
    use std::io::{BufReader, Read as _, Seek as _, SeekFrom};
    use std::path::PathBuf;

    use anyhow::Context as _;
    use juror_model::linked::NetworkReference;
    use juror_model::tree::FileId;
    use juror_neural::pack::{PackFiles, Task};
    use juror_neural::{Against, Networks, NeuralError, Objects, Profile, Rten, ZippedPack};
    use juror_session::conditions::ConditionValue;
    use juror_session::measure::Measure;
    use juror_session::measure::run::MeasurePair;
    use juror_session::view::lint::LintFeatures;
    use pollster::block_on;

    use super::{Completed, Host, NetworkArgs, NetworkPair, NetworkProfile, NetworkValue};
    use crate::say;

    /// What has features by which pictures are compared.
    const FEATURES: [Task; 2] = [Task::Clip, Task::Dino];

    /// Networks that were opened.
    #[derive(Debug)]
    pub(crate) struct Opened {
        networks: Networks,
        profile: Profile,
    }

    impl Opened {
        /// Opens every pack, and says what each computes.
        pub(crate) fn open(args: &NetworkArgs) -> anyhow::Result<Self> {
            let mut networks = Networks::new(Box::new(Rten));
            for path in &args.pack {
                let named = || format!("the pack {}", path.display());
                let files: Box<dyn PackFiles> = if path.is_dir() {
                    Box::new(Folder(path.clone()))
                } else {
                    let file = File::open(path).with_context(named)?;
                    let zip = ZippedPack::open(BufReader::new(file), &path.to_string_lossy());
                    Box::new(zip.with_context(named)?)
                };
                let pack = networks.open(files).with_context(named)?;
                say(&format!(
                    "juror: opened {} for {}: {}, {}",
                    pack.manifest.id,
                    pack.manifest.task.id(),
                    pack.manifest.source,
                    pack.manifest.licence
                ));
            }
            let profile = match args.network_profile {
                NetworkProfile::Released => Profile::Released,
                NetworkProfile::Standard => Profile::Standard,
            };
            Ok(Self { networks, profile })
        }

        /// Whether a pack computes this metric.
        pub(crate) fn has(&self, metric: &str) -> bool {
            Task::from_id(metric).is_some_and(|task| self.networks.pack(task).is_some())
        }

        /// The features of a picture by Inception.
        pub(crate) fn inception(&mut self, picture: &[u8]) -> anyhow::Result<Vec<f64>> {
            if self.networks.pack(Task::Inception).is_none() {
                anyhow::bail!("a distance of folders needs a pack for `inception`: --pack FOLDER");
            }
            Ok(block_on(self.networks.inception(picture))?)
        }

        /// Refuses packs that give no features by which pictures are compared.
        pub(crate) fn expect_features(&self) -> anyhow::Result<()> {
            let mut others = Task::ALL
                .into_iter()
                .filter(|task| !FEATURES.contains(task));
            match others.find_map(|task| self.networks.pack(task)) {
                Some(pack) => anyhow::bail!(
                    "--pack: {} is for {}, and pictures are compared by clip or dino: name a pack for one of these",
                    pack.manifest.id,
                    pack.manifest.task.id()
                ),
                None => Ok(()),
            }
        }

        /// Features of pictures by every network that is open for them; a picture that cannot be read is named and has none.
        pub(crate) fn features(
            &mut self,
            host: &Host,
            needs: &[FileId],
        ) -> anyhow::Result<Vec<LintFeatures>> {
            let mut found = Vec::new();
            for task in FEATURES {
                let Some(pack) = self.networks.pack(task) else {
                    continue;
                };
                let network = pack.manifest.id.clone();
                // A network that is wrong here is refused before any picture.
                block_on(self.networks.check(task)).with_context(|| network.clone())?;
                let mut features = LintFeatures {
                    network,
                    ..LintFeatures::default()
                };
                for file in needs {
                    match self.feature(host, task, *file) {
                        Ok(numbers) => {
                            features.files.push(*file);
                            features.numbers.extend(numbers);
                        }
                        Err(problem) => {
                            let path = host.session.path(*file);
                            say(&format!("juror: {path}: {}: {problem:#}", features.network));
                        }
                    }
                }
                say(&format!(
                    "juror: {} compared {} pictures",
                    features.network,
                    features.files.len()
                ));
                found.push(features);
            }
            Ok(found)
        }

        /// What two pictures are compared by: clip before dino.
        fn compared_by(&self) -> Option<Task> {
            let mut tasks = FEATURES.into_iter();
            tasks.find(|task| self.networks.pack(*task).is_some())
        }

        /// Which network compares two pictures: pack and hash; empty without one.
        pub(crate) fn comparer(&self) -> String {
            let pack = self.compared_by().and_then(|task| self.networks.pack(task));
            pack.map_or_else(String::new, |pack| {
                format!("{} sha256:{}", pack.manifest.id, pack.sha256)
            })
        }

        /// The cosine of two pictures' features.
        pub(crate) fn cosine(&mut self, a: &[u8], b: &[u8]) -> anyhow::Result<f64> {
            let task = self
                .compared_by()
                .context("a cosine of pictures needs a pack for clip or dino: --pack FOLDER")?;
            let a = block_on(self.networks.embedding(task, a))?;
            let b = block_on(self.networks.embedding(task, b))?;
            let products = a.iter().zip(&b);
            Ok(products.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum())
        }

        fn feature(&mut self, host: &Host, task: Task, file: FileId) -> anyhow::Result<Vec<f32>> {
            Ok(block_on(self.networks.embedding(task, &host.bytes(file)?))?)
        }

        /// Which network gives them.
        pub(crate) fn describe_inception(&self) -> String {
            self.networks.describe(Task::Inception, self.profile)
        }

        /// Measures what packs are open for, one network after the other.
        pub(crate) fn complete(&mut self, host: &Host, pairs: &[NetworkPair]) -> Completed {
            let mut completed = Completed::default();
            for task in Task::ALL {
                if self.networks.pack(task).is_none() {
                    continue;
                }
                for pair in pairs.iter().filter(|pair| pair.task == task.id()) {
                    match self.value(host, task, pair) {
                        Ok(value) => completed.values.push(NetworkValue {
                            found: ConditionValue {
                                pair: pair.pair.clone(),
                                value,
                            },
                            network: self.networks.describe(task, self.profile),
                        }),
                        Err(problem) => {
                            completed.num_failed += 1;
                            let (one, problem) = (&pair.pair, format!("{problem:#}"));
                            say(&format!(
                                "juror: {} of {}, {}: {problem}",
                                one.criterion, one.model, one.sample
                            ));
                        }
                    }
                }
                if let Some(caution) = self.networks.caution(task) {
                    say(&format!(
                        "juror: {}: {caution}",
                        self.networks.describe(task, self.profile)
                    ));
                }
                if let Some(off) = self.networks.deviation(task) {
                    say(&format!(
                        "juror: {}; its golden cases were off by at most {off:.1e} of their largest number",
                        self.networks.describe(task, self.profile)
                    ));
                }
            }
            completed
        }

        fn value(&mut self, host: &Host, task: Task, pair: &NetworkPair) -> anyhow::Result<f64> {
            let output = host.bytes(pair.pair.candidate)?;
            let (picture, map);
            let against = match &pair.reference {
                NetworkReference::Nothing => Against::Nothing,
                NetworkReference::Text(text) => Against::Text(text),
                NetworkReference::Picture(file) => {
                    picture = host.bytes(*file)?;
                    Against::Picture(&picture)
                }
                NetworkReference::Map(file) => {
                    map = juror_measure::input(&host.bytes(*file)?)?;
                    Against::Map(&map)
                }
            };
            let measured = self.networks.measure(task, self.profile, against, &output);
            Ok(block_on(measured)?)
        }

        /// Fills in what networks measure of a pair, or why they do not.
        pub(crate) fn measure(&mut self, host: &Host, pair: &MeasurePair, records: &mut [Measure]) {
            if !pair.objects.is_empty() {
                self.measure_objects(host, pair, records);
                return;
            }
            for record in records {
                let Some(task) = Task::from_id(&record.metric) else {
                    continue;
                };
                let found = self.measured(host, task, pair);
                record.network = Some(self.networks.describe(task, self.profile));
                match found {
                    Ok(value) => record.value = Some(value),
                    Err(problem) => record.problem = Some(format!("{problem:#}")),
                }
            }
        }

        /// The same where objects of references are looked for in the output.
        fn measure_objects(&mut self, host: &Host, pair: &MeasurePair, records: &mut [Measure]) {
            let files = std::iter::once(&pair.output).chain(&pair.objects);
            let files: Result<Vec<_>, _> = files.map(|file| host.bytes(*file)).collect();
            let files = match files {
                Ok(files) => files,
                Err(cause) => {
                    for record in records {
                        record.problem = Some(format!("The file cannot be read: {cause}."));
                    }
                    return;
                }
            };
            for record in records {
                let Some(task) = Task::from_id(&record.metric) else {
                    continue;
                };
                let found = Objects::of(&files, &pair.box_files).and_then(|objects| {
                    record.counterpart = objects.fingerprint();
                    let network = self.networks.describe_objects(task, self.profile, &objects);
                    record.network = Some(network);
                    block_on(self.networks.objects(task, self.profile, &objects))
                });
                match found {
                    Ok(value) => record.value = Some(value),
                    Err(problem) => record.problem = Some(problem.to_string()),
                }
            }
        }

        fn measured(&mut self, host: &Host, task: Task, pair: &MeasurePair) -> anyhow::Result<f64> {
            let output = host.bytes(pair.output)?;
            if !pair.prompt.is_empty() {
                let against = Against::Text(&pair.prompt);
                let measured = self.networks.measure(task, self.profile, against, &output);
                return Ok(block_on(measured)?);
            }
            let counterpart = host.bytes(pair.counterpart)?;
            let against = Against::Picture(&counterpart);
            let measured = self.networks.measure(task, self.profile, against, &output);
            Ok(block_on(measured)?)
        }
    }

    /// A pack in a folder.
    struct Folder(PathBuf);

    impl PackFiles for Folder {
        fn length(&mut self, file: &str) -> Result<u64, NeuralError> {
            let found = std::fs::metadata(self.0.join(file));
            Ok(found
                .map_err(|error| NeuralError::unreadable(file, &error))?
                .len())
        }

        fn read(&mut self, file: &str, offset: u64, into: &mut [u8]) -> Result<usize, NeuralError> {
            let read = || -> std::io::Result<usize> {
                let mut from = File::open(self.0.join(file))?;
                from.seek(SeekFrom::Start(offset))?;
                let mut taken = 0;
                while taken < into.len() {
                    match from.read(&mut into[taken..])? {
                        0 => break,
                        some => taken += some,
                    }
                }
                Ok(taken)
            };
            let mut read = read;
            read().map_err(|error| NeuralError::unreadable(file, &error))
        }
    }
}
