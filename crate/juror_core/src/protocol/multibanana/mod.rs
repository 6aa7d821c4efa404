//! MultiBanana: 36 task types with one to eight references; a judge gives five whole numbers from 1 to 10.
