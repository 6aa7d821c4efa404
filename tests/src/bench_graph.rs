//! The graphs that `cargo xtask bench neural` times, as ONNX: CLIP's networks of pictures, with weights of the caller's.
//!
//! Source of the shapes: the `vision_model` of `transformers`' `CLIPModel` for openai/clip-vit-base-patch32, -base-patch16 and
//! -large-patch14; `onnx.proto` for the numbers of fields.

/// A graph with the file of its weights, `image.data`.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// The ONNX file.
    pub graph: Vec<u8>,
    /// Its weights.
    pub weights: Vec<u8>,
}

/// The shape of a network that looks at pictures of 224 × 224 pixels.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Its name.
    pub id: &'static str,
    /// Numbers of a token.
    width: usize,
    /// Heads of a layer's attention.
    heads: usize,
    /// Layers.
    depth: usize,
    /// Pixels along a side of a patch.
    patch: usize,
    /// Numbers that come out.
    pub embedding: usize,
}

/// Width and height of a picture that goes in.
const SIDE: usize = 224;

/// From the smallest to the largest.
pub const SHAPES: [Shape; 3] = [
    Shape {
        id: "vit-b-32",
        width: 768,
        heads: 12,
        depth: 12,
        patch: 32,
        embedding: 512,
    },
    Shape {
        id: "vit-b-16",
        width: 768,
        heads: 12,
        depth: 12,
        patch: 16,
        embedding: 512,
    },
    Shape {
        id: "vit-l-14",
        width: 1024,
        heads: 16,
        depth: 24,
        patch: 14,
        embedding: 768,
    },
];

/// A message of Protocol Buffers.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value.to_le_bytes()[0] | 0x80);
            value >>= 7;
        }
        self.0.push(value.to_le_bytes()[0]);
    }

    fn number(mut self, field: u64, value: u64) -> Self {
        self.varint(field << 3);
        self.varint(value);
        self
    }

    fn real(mut self, field: u64, value: f32) -> Self {
        self.varint(field << 3 | 5);
        self.0.extend(value.to_le_bytes());
        self
    }

    fn bytes(mut self, field: u64, value: &[u8]) -> Self {
        self.varint(field << 3 | 2);
        self.varint(value.len() as u64);
        self.0.extend(value);
        self
    }

    fn text(self, field: u64, value: &str) -> Self {
        self.bytes(field, value.as_bytes())
    }
}

/// Attributes of a node.
enum Attribute<'a> {
    Whole(&'a str, i64),
    Wholes(&'a str, &'a [i64]),
    Real(&'a str, f32),
}

impl Attribute<'_> {
    fn message(&self) -> Vec<u8> {
        let (name, filled, kind) = match self {
            Self::Real(name, value) => (name, Message::default().real(2, *value), 1),
            Self::Whole(name, value) => {
                (name, Message::default().number(3, value.cast_unsigned()), 2)
            }
            Self::Wholes(name, values) => {
                let of = |made: Message, value: &i64| made.number(8, value.cast_unsigned());
                (name, values.iter().fold(Message::default(), of), 7)
            }
        };
        filled.text(1, name).number(20, kind).0
    }
}

/// A graph while it is built: the fields of `GraphProto`, the file of weights, and where numbers come from.
struct Builder<'r> {
    graph: Message,
    weights: Vec<u8>,
    next: &'r mut dyn FnMut() -> f32,
    num_names: usize,
    shape: Shape,
}

impl Builder<'_> {
    fn name(&mut self) -> String {
        self.num_names += 1;
        format!("v{}", self.num_names)
    }

    /// A node with one output, whose name it returns.
    fn node(&mut self, kind: &str, inputs: &[&str], attributes: &[Attribute<'_>]) -> String {
        let output = self.name();
        let named = inputs
            .iter()
            .fold(Message::default(), |made, name| made.text(1, name));
        let made = named.text(2, &output).text(4, kind);
        let made = (attributes.iter()).fold(made, |made, one| made.bytes(5, &one.message()));
        self.put(1, &made.0);
        output
    }

    fn put(&mut self, field: u64, message: &[u8]) {
        let graph = std::mem::take(&mut self.graph);
        self.graph = graph.bytes(field, message);
    }

    /// Real numbers in the file of weights: random ones about `centre` within half of `spread`.
    fn weight(&mut self, shape: &[usize], centre: f32, spread: f32) -> String {
        let name = self.name();
        let (count, offset) = (shape.iter().product::<usize>(), self.weights.len());
        for _ in 0..count {
            let value = centre + spread * (self.next)();
            self.weights.extend(value.to_le_bytes());
        }
        let entry = |key: &str, value: &str| Message::default().text(1, key).text(2, value).0;
        let dims = shape.iter().fold(Message::default(), |made, length| {
            made.number(1, *length as u64)
        });
        let tensor = dims
            .number(2, 1)
            .text(8, &name)
            .bytes(13, &entry("location", "image.data"))
            .bytes(13, &entry("offset", &offset.to_string()))
            .bytes(13, &entry("length", &(4 * count).to_string()))
            .number(14, 1);
        self.put(5, &tensor.0);
        name
    }

    /// A number inside the graph: onnxruntime-web looks for those that it folds in the graph's own file.
    fn scalar(&mut self, value: f32) -> String {
        let name = self.name();
        let tensor = Message::default()
            .number(1, 1)
            .number(2, 1)
            .text(8, &name)
            .bytes(9, &value.to_le_bytes());
        self.put(5, &tensor.0);
        name
    }

    /// Whole numbers inside the graph.
    fn wholes(&mut self, values: &[i64]) -> String {
        let name = self.name();
        let raw: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        let tensor = Message::default()
            .number(1, values.len() as u64)
            .number(2, 7)
            .text(8, &name)
            .bytes(9, &raw);
        self.put(5, &tensor.0);
        name
    }

    fn linear(&mut self, input: &str, from: usize, to: usize) -> String {
        let spread = 2.0 / (from as f32).sqrt();
        let weight = self.weight(&[from, to], 0.0, spread);
        let bias = self.weight(&[to], 0.0, 0.02);
        let product = self.node("MatMul", &[input, &weight], &[]);
        self.node("Add", &[&product, &bias], &[])
    }

    fn norm(&mut self, input: &str) -> String {
        let scale = self.weight(&[self.shape.width], 1.0, 0.1);
        let bias = self.weight(&[self.shape.width], 0.0, 0.1);
        let attributes = [
            Attribute::Whole("axis", -1),
            Attribute::Real("epsilon", 1e-5),
        ];
        self.node("LayerNormalization", &[input, &scale, &bias], &attributes)
    }

    /// Tokens as heads: 1 × heads × tokens × width of a head, or turned over for keys.
    fn heads(&mut self, input: &str, order: &[i64]) -> String {
        let width = i64::try_from(self.shape.width / self.shape.heads).unwrap_or(i64::MAX);
        let shape = self.wholes(&[
            1,
            -1,
            i64::try_from(self.shape.heads).unwrap_or(i64::MAX),
            width,
        ]);
        let split = self.node("Reshape", &[input, &shape], &[]);
        self.node("Transpose", &[&split], &[Attribute::Wholes("perm", order)])
    }

    fn attention(&mut self, input: &str) -> String {
        let width = self.shape.width;
        let [query, key, value] = [(); 3].map(|()| self.linear(input, width, width));
        let query = self.heads(&query, &[0, 2, 1, 3]);
        let key = self.heads(&key, &[0, 2, 3, 1]);
        let value = self.heads(&value, &[0, 2, 1, 3]);
        let scale = self.scalar(1.0 / ((self.shape.width / self.shape.heads) as f32).sqrt());
        let scaled = self.node("Mul", &[&query, &scale], &[]);
        let scores = self.node("MatMul", &[&scaled, &key], &[]);
        let shares = self.node("Softmax", &[&scores], &[Attribute::Whole("axis", -1)]);
        let mixed = self.node("MatMul", &[&shares, &value], &[]);
        let order = [Attribute::Wholes("perm", &[0, 2, 1, 3])];
        let turned = self.node("Transpose", &[&mixed], &order);
        let shape = self.wholes(&[1, -1, i64::try_from(self.shape.width).unwrap_or(i64::MAX)]);
        let joined = self.node("Reshape", &[&turned, &shape], &[]);
        self.linear(&joined, width, width)
    }

    fn layer(&mut self, input: &str) -> String {
        let width = self.shape.width;
        let before = self.norm(input);
        let attended = self.attention(&before);
        let tokens = self.node("Add", &[input, &attended], &[]);
        let before = self.norm(&tokens);
        let wide = self.linear(&before, width, 4 * width);
        let factor = self.scalar(1.702);
        let scaled = self.node("Mul", &[&wide, &factor], &[]);
        let gate = self.node("Sigmoid", &[&scaled], &[]);
        let gated = self.node("Mul", &[&wide, &gate], &[]);
        let narrow = self.linear(&gated, 4 * width, width);
        self.node("Add", &[&tokens, &narrow], &[])
    }
}

/// A network from `pixel_values` (1 × 3 × 224 × 224) to `embeds` (1 × its embedding); `next` gives numbers from −0.5 to 0.5.
pub fn network(shape: Shape, next: &mut dyn FnMut() -> f32) -> Made {
    let (width, patch) = (shape.width, shape.patch);
    let num_tokens = (SIDE / patch).pow(2) + 1;
    let mut made = Builder {
        graph: Message::default(),
        weights: Vec::new(),
        next,
        num_names: 0,
        shape,
    };
    let side = i64::try_from(patch).unwrap_or(i64::MAX);
    let kernel = made.weight(&[width, 3, patch, patch], 0.0, 0.05);
    let patches = [
        Attribute::Wholes("kernel_shape", &[side, side]),
        Attribute::Wholes("strides", &[side, side]),
    ];
    let patches = made.node("Conv", &["pixel_values", &kernel], &patches);
    let lengths = made.wholes(&[1, i64::try_from(width).unwrap_or(i64::MAX), -1]);
    let rows = made.node("Reshape", &[&patches, &lengths], &[]);
    let tokens = made.node(
        "Transpose",
        &[&rows],
        &[Attribute::Wholes("perm", &[0, 2, 1])],
    );
    let class = made.weight(&[1, 1, width], 0.0, 0.5);
    let tokens = made.node("Concat", &[&class, &tokens], &[Attribute::Whole("axis", 1)]);
    let places = made.weight(&[1, num_tokens, width], 0.0, 0.5);
    let placed = made.node("Add", &[&tokens, &places], &[]);
    let mut tokens = made.norm(&placed);
    for _ in 0..shape.depth {
        tokens = made.layer(&tokens);
    }
    let first = made.wholes(&[0]);
    let class = made.node("Gather", &[&tokens, &first], &[Attribute::Whole("axis", 1)]);
    let lengths = made.wholes(&[1, i64::try_from(width).unwrap_or(i64::MAX)]);
    let class = made.node("Reshape", &[&class, &lengths], &[]);
    let class = made.norm(&class);
    let projection = made.weight(&[width, shape.embedding], 0.0, 0.1);
    let embeds = made.node("MatMul", &[&class, &projection], &[]);
    // The last node's output under the name that the pack lists.
    let named = Message::default()
        .text(1, &embeds)
        .text(2, "embeds")
        .text(4, "Identity");
    made.put(1, &named.0);
    let port = |name: &str, shape: &[u64]| {
        let dims = shape.iter().fold(Message::default(), |made, length| {
            made.bytes(1, &Message::default().number(1, *length).0)
        });
        let tensor = Message::default().number(1, 1).bytes(2, &dims.0).0;
        let kind = Message::default().bytes(1, &tensor).0;
        Message::default().text(1, name).bytes(2, &kind).0
    };
    made.put(2, shape.id.as_bytes());
    made.put(11, &port("pixel_values", &[1, 3, 224, 224]));
    made.put(12, &port("embeds", &[1, shape.embedding as u64]));
    let operators = Message::default().text(1, "").number(2, 17).0;
    let model = Message::default()
        .number(1, 8)
        .bytes(7, &made.graph.0)
        .bytes(8, &operators);
    Made {
        graph: model.0,
        weights: made.weights,
    }
}
