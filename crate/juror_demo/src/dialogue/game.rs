//! Dialogues of the category Game.

use super::{CLEAN, Dialogue, NOISE, WARM, picture, said, take, text};
use crate::paint::palette as p;
use crate::scene::{Blocks, Chess, Jigsaw, Maze, Route, Scene};

/// Squares as file and rank, both from 0.
const C4: (u8, u8) = (2, 3);
const E7: (u8, u8) = (4, 6);
const F5: (u8, u8) = (5, 4);
const F7: (u8, u8) = (5, 6);

pub(super) fn chess() -> Dialogue {
    let start = Chess::default();
    let fork = start.moved(F5, E7);
    let takes = start.moved(C4, F7);
    let unmarked = |position: &Chess| Chess {
        marked: Vec::new(),
        ..position.clone()
    };
    let board = Scene::Chess;
    Dialogue {
        domain: "chess_game",
        pictures: vec![
            board(start.clone()),
            board(fork.clone()),
            board(takes.clone()),
        ],
        turns: vec![
            picture(
                "In the position of Image #1 let White's knight give check on e7. Mark the two squares of the move.",
                2,
                &[(
                    "GT #1",
                    "Compared to <image> the white knight has moved from f5 to e7; every other piece stands where it stood.",
                )],
                [
                    take(
                        board(Chess {
                            light: 0x00ef_e1c9,
                            ..fork.clone()
                        }),
                        CLEAN,
                        [10, 10, 10],
                        "The knight stands on e7, f5 is empty, both squares are marked and nothing else has moved.",
                    ),
                    take(
                        board(start.moved(F5, (6, 6))),
                        WARM,
                        [4, 8, 8],
                        "The knight has moved, but to g7, where it takes a pawn.",
                    ),
                    take(
                        board(Chess {
                            pieces: start.pieces.iter().copied().step_by(2).collect(),
                            dark: p::PLUM,
                            ..start.clone()
                        }),
                        NOISE,
                        [1, 2, 3],
                        "Half of the pieces are missing, the knight among them.",
                    ),
                ],
            ),
            picture(
                "Back to Image #1: now let White's bishop take the pawn on f7.",
                3,
                &[(
                    "GT #1",
                    "Compared to <image> the white bishop stands on f7, the black pawn there is gone, and c4 is empty.",
                )],
                [
                    take(
                        board(Chess {
                            light: 0x00ef_e1c9,
                            ..takes.clone()
                        }),
                        CLEAN,
                        [10, 9, 10],
                        "The bishop has taken the pawn on f7 and left c4 empty.",
                    ),
                    take(
                        board(unmarked(&takes)),
                        WARM,
                        [9, 8, 7],
                        "The capture is drawn correctly; only the marks of the move are missing.",
                    ),
                    take(
                        board(Chess {
                            dark: p::PLUM,
                            ..start.moved((6, 0), F7)
                        }),
                        NOISE,
                        [2, 4, 3],
                        "It is the king that jumped to f7; the bishop still stands on c4.",
                    ),
                ],
            ),
            text(
                "Compare Image #2 and Image #3. Which move is better for White, and why? Think of what Black can answer.",
                "The check on e7: nothing can take the knight and the king must step aside, whereas the bishop on f7 is unprotected and Black's rook takes it.",
                [
                    said(
                        "The knight check in Image #2. In Image #3 the bishop is simply taken by the rook on f8.",
                        10,
                        "Chooses the check and sees that the bishop on f7 is lost.",
                    ),
                    said(
                        "The move in Image #2, because a check is always strong.",
                        5,
                        "The choice is right, the reason does not mention the lost bishop.",
                    ),
                    said(
                        "The bishop move, since it wins a pawn.",
                        0,
                        "Overlooks that the rook on f8 protects f7.",
                    ),
                ],
            ),
        ],
    }
}

pub(super) fn jigsaw() -> Dialogue {
    let open = Jigsaw::default();
    let with_a = Jigsaw {
        filled: 1,
        ..open.clone()
    };
    let with_b = Jigsaw {
        filled: 2,
        ..open.clone()
    };
    let puzzle = Scene::Jigsaw;
    Dialogue {
        domain: "visual_jigsaw",
        pictures: vec![
            puzzle(open.clone()),
            puzzle(with_a.clone()),
            puzzle(with_b.clone()),
        ],
        turns: vec![
            picture(
                "Fill the gap in Image #1 with piece A.",
                2,
                &[("GT #2", "Exactly the same as <image>.")],
                [
                    take(
                        puzzle(with_a.clone()),
                        CLEAN,
                        [10, 10, 10],
                        "Piece A sits exactly in the gap, as in the reference.",
                    ),
                    take(
                        puzzle(Jigsaw {
                            slip: 7.0,
                            ..with_a.clone()
                        }),
                        WARM,
                        [6, 8, 6],
                        "Piece A is in the gap, but it sits several pixels too low and too far right.",
                    ),
                    take(
                        puzzle(Jigsaw {
                            filled: 3,
                            slip: 12.0,
                            balloon: p::PLUM,
                            ..with_a
                        }),
                        NOISE,
                        [1, 3, 3],
                        "Piece C was used, and the balloon has become purple.",
                    ),
                ],
            ),
            picture(
                "Fill the gap in Image #1 with piece B.",
                3,
                &[("GT #3", "Exactly the same as <image>.")],
                [
                    take(
                        puzzle(Jigsaw {
                            balloon: 0x00e3_705f,
                            ..with_b.clone()
                        }),
                        CLEAN,
                        [9, 10, 10],
                        "The balloon is complete; the picture equals the reference.",
                    ),
                    take(
                        puzzle(Jigsaw {
                            slip: 5.0,
                            ..with_b.clone()
                        }),
                        WARM,
                        [7, 8, 6],
                        "The right piece, but a step runs through the stripes of the balloon.",
                    ),
                    take(
                        puzzle(Jigsaw {
                            filled: 0,
                            options: false,
                            balloon: p::PLUM,
                            ..with_b
                        }),
                        NOISE,
                        [1, 3, 3],
                        "The gap is still open and the three pieces are gone.",
                    ),
                ],
            ),
            text(
                "Which piece completes the picture, A, B or C? Answer with the letter.",
                "B",
                [
                    said("B", 10, "The right letter."),
                    said("B", 10, "The right letter."),
                    said(
                        "A",
                        0,
                        "Piece A shows hills; the gap needs the lower half of the balloon.",
                    ),
                ],
            ),
        ],
    }
}

pub(super) fn maze(seed: u64) -> Dialogue {
    let bare = Maze::default();
    let solved = Maze {
        route: Route::Way(1.0),
        ..bare.clone()
    };
    let (to_b, to_c) = Maze::steps(seed);
    let longer = if to_b > to_c { "A to B" } else { "A to C" };
    let shorter = if to_b > to_c { "A to C" } else { "A to B" };
    let draw = Scene::Maze;
    Dialogue {
        domain: "maze",
        pictures: vec![draw(bare), draw(solved.clone())],
        turns: vec![
            picture(
                "Draw the way from A to B through the maze of Image #1 as a red line.",
                2,
                &[
                    ("GT #1", "The walls are the same as in <image>."),
                    (
                        "GT #2",
                        "The red line takes the same way as in <image> and crosses no wall.",
                    ),
                ],
                [
                    take(
                        draw(Maze {
                            ink: 0x00e0_6658,
                            ..solved.clone()
                        }),
                        CLEAN,
                        [10, 10, 10],
                        "The line follows the corridors from A to B without touching a wall.",
                    ),
                    take(
                        draw(Maze {
                            route: Route::Way(0.62),
                            ..solved.clone()
                        }),
                        WARM,
                        [5, 9, 8],
                        "The line follows the right corridors but ends well before B.",
                    ),
                    take(
                        draw(Maze {
                            route: Route::Straight,
                            walls: p::SLATE,
                            other: true,
                            ..solved
                        }),
                        NOISE,
                        [1, 2, 3],
                        "The line goes straight through the walls, and the maze is another one.",
                    ),
                ],
            ),
            text(
                "Which way through the maze of Image #1 is longer, from A to B or from A to C? Give the number of steps from cell to cell for both.",
                format!("{longer}; {to_b} steps from A to B and {to_c} from A to C."),
                [
                    said(
                        format!("{longer} is longer: A to B takes {to_b} steps, A to C {to_c}."),
                        10,
                        "Choice and both numbers agree with the standard answer.",
                    ),
                    said(
                        format!("{longer}."),
                        5,
                        "The choice is right, the numbers are missing.",
                    ),
                    said(
                        format!("{shorter}, by 3 steps."),
                        0,
                        "The wrong way is chosen.",
                    ),
                ],
            ),
        ],
    }
}

pub(super) fn minecraft() -> Dialogue {
    let tower = Blocks::default();
    let roofed = Blocks {
        roof: Some(p::RED),
        ..tower.clone()
    };
    let pond = Blocks {
        pond: 1,
        ..roofed.clone()
    };
    let blocks = Scene::Blocks;
    Dialogue {
        domain: "minecraft",
        pictures: vec![blocks(tower), blocks(roofed.clone()), blocks(pond.clone())],
        turns: vec![
            picture(
                "Cover the stone tower in Image #1 with one layer of red blocks.",
                2,
                &[
                    (
                        "GT #1",
                        "Island, tower and tree are the same as in <image>.",
                    ),
                    ("Text", "One layer of red blocks lies on top of the tower."),
                ],
                [
                    take(
                        blocks(Blocks {
                            roof: Some(0x00cc_4e4d),
                            ..roofed.clone()
                        }),
                        CLEAN,
                        [10, 10, 10],
                        "One layer of red blocks closes the tower; the rest is as it was.",
                    ),
                    take(
                        blocks(Blocks {
                            tower: 3,
                            ..roofed.clone()
                        }),
                        WARM,
                        [6, 7, 8],
                        "The red layer is there, but the tower has grown by a level.",
                    ),
                    take(
                        blocks(Blocks {
                            roof: None,
                            stone: p::RED,
                            tree: false,
                            sky: false,
                            ..roofed.clone()
                        }),
                        NOISE,
                        [2, 2, 3],
                        "The whole tower was turned red, no layer was added, and the tree is missing.",
                    ),
                ],
            ),
            picture(
                "Dig a pond of two by two blocks into the grass near the front corner of Image #2.",
                3,
                &[
                    (
                        "Image #2",
                        "Tower, roof and tree are the same as in <image>.",
                    ),
                    (
                        "Text",
                        "A pond of two by two blocks lies near the front corner.",
                    ),
                ],
                [
                    take(
                        blocks(Blocks {
                            roof: Some(0x00cc_4e4d),
                            ..pond.clone()
                        }),
                        CLEAN,
                        [9, 10, 9],
                        "A pond of two by two blocks lies by the front corner, a little below the grass.",
                    ),
                    take(
                        blocks(Blocks {
                            tower: 3,
                            pond: 2,
                            ..pond.clone()
                        }),
                        WARM,
                        [5, 8, 8],
                        "There is a pond of the right size, but on the left side instead of the front.",
                    ),
                    take(
                        blocks(Blocks {
                            tower: 1,
                            roof: None,
                            pond: 0,
                            stone: p::RED,
                            tree: false,
                            sky: false,
                        }),
                        NOISE,
                        [1, 2, 3],
                        "No pond was dug, and the tower has shrunk to one level.",
                    ),
                ],
            ),
        ],
    }
}
