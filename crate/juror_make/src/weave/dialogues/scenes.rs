//! What dialogues are about: categories with scenes and with what can be edited in them. The lists are Juror's own.

/// A category of scenes.
#[derive(Debug)]
pub struct Category {
    /// As settings have it.
    pub id: &'static str,
    /// Scenes.
    pub scenes: [&'static str; 3],
    /// What can be edited in them.
    pub dimensions: [&'static str; 3],
}

const fn category(
    id: &'static str,
    scenes: [&'static str; 3],
    dimensions: [&'static str; 3],
) -> Category {
    Category {
        id,
        scenes,
        dimensions,
    }
}

/// The twelve categories.
#[rustfmt::skip]
pub const CATEGORIES: [Category; 12] = [
    category("food", ["a breakfast table with bread and fruit", "a pizza on a wooden board", "a cake in a bakery window"], ["toppings", "tableware", "how it is cut"]),
    category("people", ["a cook in an open kitchen", "two friends on a park bench", "a violinist on a small stage"], ["clothing", "things that are held", "posture"]),
    category("animals", ["a dog on a beach with a ball", "a cat on a window sill", "horses behind a wooden fence"], ["accessories", "colour of the coat", "things around"]),
    category("architecture", ["a lighthouse on a cliff", "a row of narrow houses at a canal", "a glass library at night"], ["facade", "windows", "surroundings"]),
    category("nature", ["a lake below snowy mountains", "a path through a birch forest", "a desert with a single rock arch"], ["season", "weather", "objects in the foreground"]),
    category("products", ["a wrist watch on a dark cloth", "a kettle on a kitchen counter", "running shoes in a shop display"], ["material", "colour", "things next to it"]),
    category("cartoon", ["a cartoon fox with a backpack", "a cartoon robot that waters plants", "a cartoon town on market day"], ["expression", "props", "background"]),
    category("plants", ["a cactus in a clay pot", "a field of tulips", "a bonsai tree on a table"], ["pot or ground", "blossoms", "light"]),
    category("vehicles", ["a red bus at a stop", "a sailing boat in a harbour", "a bicycle against a brick wall"], ["paint", "load", "surroundings"]),
    category("fantasy", ["a dragon on a castle tower", "a wizard's desk with a crystal ball", "a floating island with a waterfall"], ["creatures", "magical objects", "sky"]),
    category("sports", ["a tennis player on a clay court", "a climber on a steep wall", "children who play football in a yard"], ["equipment", "clothing", "place"]),
    category("fashion", ["a mannequin with a long coat", "a woman with a wide hat in a street", "folded scarves on a shelf"], ["fabric", "pattern", "accessories"]),
];

/// The category of a name.
pub fn category_of(id: &str) -> Option<&'static Category> {
    CATEGORIES.iter().find(|category| category.id == id)
}
