//! Which operators an ONNX graph has, and which files its weights are in, read without loading it.
//!
//! Source: `onnx.proto`: the message `ModelProto` and the fields of it that are named here. A runner reads the rest.

use std::collections::BTreeSet;

/// Fields of `ModelProto`, `GraphProto`, `NodeProto`, `AttributeProto`, `TensorProto` and `StringStringEntryProto`.
const MODEL_GRAPH: u64 = 7;
const GRAPH_NODE: u64 = 1;
const GRAPH_TENSOR: u64 = 5;
const NODE_OPERATOR: u64 = 4;
const NODE_ATTRIBUTE: u64 = 5;
const ATTRIBUTE_NAME: u64 = 1;
const ATTRIBUTE_TEXT: u64 = 4;
const ATTRIBUTE_TENSOR: u64 = 5;
const ATTRIBUTE_GRAPH: u64 = 6;
const TENSOR_EXTERNAL: u64 = 13;
const ENTRY_KEY: u64 = 1;
const ENTRY_VALUE: u64 = 2;

/// Graphs inside of graphs that are followed.
const MAX_DEPTH: usize = 8;

/// An operator with what of its attributes is text: a `Resize` has its `mode` there.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Operator {
    /// Its type.
    pub name: String,
    /// Name and value of each attribute that is text.
    pub texts: Vec<(String, String)>,
}

/// What a graph is made of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Its different operators, those of graphs inside of it among them.
    pub operators: BTreeSet<Operator>,
    /// Names of files with weights.
    pub weights: BTreeSet<String>,
}

impl Graph {
    /// Reads a graph's file; `None` if it is none, or ends too early.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        let mut graph = Self::default();
        let mut found = false;
        for field in Fields(bytes) {
            let (number, value) = field?;
            if let (MODEL_GRAPH, Field::Bytes(inner)) = (number, value) {
                graph.take(inner, 0)?;
                found = true;
            }
        }
        (found && !graph.operators.is_empty()).then_some(graph)
    }

    /// Whether an operator of this type is there.
    pub fn has(&self, name: &str) -> bool {
        self.operators.iter().any(|found| found.name == name)
    }

    /// Whether an operator of this type has an attribute of this text.
    pub fn has_with(&self, name: &str, attribute: &str, text: &str) -> bool {
        let of_type = self.operators.iter().filter(|found| found.name == name);
        let mut texts = of_type.flat_map(|found| &found.texts);
        texts.any(|(known, value)| known == attribute && value == text)
    }

    fn take(&mut self, graph: &[u8], depth: usize) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        for field in Fields(graph) {
            match field? {
                (GRAPH_NODE, Field::Bytes(node)) => self.node(node, depth)?,
                (GRAPH_TENSOR, Field::Bytes(tensor)) => self.tensor(tensor)?,
                _ => {}
            }
        }
        Some(())
    }

    fn node(&mut self, node: &[u8], depth: usize) -> Option<()> {
        let mut operator = Operator::default();
        for field in Fields(node) {
            match field? {
                (NODE_OPERATOR, Field::Bytes(name)) => operator.name = text(name),
                (NODE_ATTRIBUTE, Field::Bytes(attribute)) => {
                    let (mut name, mut value) = (String::new(), None);
                    for field in Fields(attribute) {
                        match field? {
                            (ATTRIBUTE_NAME, Field::Bytes(found)) => name = text(found),
                            (ATTRIBUTE_TEXT, Field::Bytes(found)) => value = Some(text(found)),
                            (ATTRIBUTE_TENSOR, Field::Bytes(tensor)) => self.tensor(tensor)?,
                            (ATTRIBUTE_GRAPH, Field::Bytes(inner)) => {
                                self.take(inner, depth + 1)?;
                            }
                            _ => {}
                        }
                    }
                    operator.texts.extend(value.map(|value| (name, value)));
                }
                _ => {}
            }
        }
        self.operators.insert(operator);
        Some(())
    }

    fn tensor(&mut self, tensor: &[u8]) -> Option<()> {
        for field in Fields(tensor) {
            let (TENSOR_EXTERNAL, Field::Bytes(entry)) = field? else {
                continue;
            };
            let (mut key, mut value) = (String::new(), String::new());
            for field in Fields(entry) {
                match field? {
                    (ENTRY_KEY, Field::Bytes(found)) => key = text(found),
                    (ENTRY_VALUE, Field::Bytes(found)) => value = text(found),
                    _ => {}
                }
            }
            if key == "location" {
                self.weights.insert(value);
            }
        }
        Some(())
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The fields of a message one after the other; `None` once where one does not end within it.
struct Fields<'a>(&'a [u8]);

enum Field<'a> {
    Number,
    Bytes(&'a [u8]),
}

impl<'a> Iterator for Fields<'a> {
    type Item = Option<(u64, Field<'a>)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_none() {
            self.0 = &[];
        }
        Some(field)
    }
}

impl<'a> Fields<'a> {
    fn field(&mut self) -> Option<(u64, Field<'a>)> {
        let tag = self.number()?;
        let value = match tag & 7 {
            0 => {
                self.number()?;
                Field::Number
            }
            1 => {
                self.bytes(8)?;
                Field::Number
            }
            2 => {
                let length = self.number()?;
                Field::Bytes(self.bytes(usize::try_from(length).ok()?)?)
            }
            5 => {
                self.bytes(4)?;
                Field::Number
            }
            _ => return None,
        };
        Some((tag >> 3, value))
    }

    fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (found, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(found)
    }

    /// Seven bits a byte, the lowest first.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.0.split_first()?;
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    fn field(number: u8, body: &[u8]) -> Vec<u8> {
        let mut bytes = vec![number << 3 | 2, u8::try_from(body.len()).unwrap()];
        bytes.extend(body);
        bytes
    }

    fn resize(mode: &str) -> Vec<u8> {
        let attribute = [field(1, b"mode"), field(4, mode.as_bytes())].concat();
        let node = [field(4, b"Resize"), field(5, &attribute)].concat();
        let place = [field(1, b"location"), field(2, b"w.data")].concat();
        let graph = [field(1, &node), field(5, &field(13, &place))].concat();
        // The version of the format stands before it, as a number.
        [vec![1 << 3, 9], field(7, &graph)].concat()
    }

    #[test]
    fn operators_with_their_texts_and_files_of_weights_are_found() {
        let graph = Graph::read(&resize("cubic")).unwrap();
        assert!(graph.has("Resize") && !graph.has("Conv"));
        assert!(graph.has_with("Resize", "mode", "cubic"));
        assert!(!graph.has_with("Resize", "mode", "linear"));
        assert_eq!(graph.weights.iter().collect::<Vec<_>>(), ["w.data"]);
        let linear = Graph::read(&resize("linear")).unwrap();
        assert!(!linear.has_with("Resize", "mode", "cubic"));
    }

    #[test]
    fn what_is_cut_off_or_something_else_is_no_graph() {
        let whole = resize("cubic");
        for length in 0..whole.len() {
            assert_eq!(Graph::read(&whole[..length]), None, "{length}");
        }
        assert_eq!(Graph::read(b"{\"schema\": 1}"), None);
        // A number that never ends.
        assert_eq!(Graph::read(&[0xff; 64]), None);
    }
}
