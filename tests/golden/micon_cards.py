"""Cards that `juror make micon` writes, as the authors' own script loads them.

Writes micon_cards.json: each card's text beside what `PromptBuilder.load_case` reads of it, and which references the
authors' judge script would find missing below the made folder.

    git clone https://github.com/Angusliuuu/MICON-Bench && git -C MICON-Bench checkout f32acfd
    python3 -m venv v && v/bin/pip install pyyaml && v/bin/python micon_cards.py MICON-Bench path/to/juror
"""

import base64
import json
import pathlib
import subprocess
import sys
import tempfile

SEED = "11"
COUNTS = ["object:2=2", "object:5=1", "spatial:2=3", "spatial:3=1", "attribute:3=2", "component:2=2", "component:3=2", "fg_bg:2=2"]
# One white pixel.
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC"
)

code = pathlib.Path(sys.argv[1]).resolve() / "Evaluation"
juror = str(pathlib.Path(sys.argv[2]).resolve())
out = pathlib.Path(__file__).with_name("micon_cards.json")
sys.path.insert(0, str(code / "scripts"))
sys.path.insert(0, str(code))

from build_prompts import PromptBuilder  # noqa: E402

with tempfile.TemporaryDirectory() as folder:
    made = pathlib.Path(folder) / "made"
    calls = pathlib.Path(folder) / "calls.txt"
    begin = ["--without-review", "--seed", SEED]
    for count in COUNTS:
        begin += ["--count", count]
    step = ["--out", str(made), "--requests", str(calls)]
    subprocess.run([juror, "make", "micon", *begin, *step], check=True, capture_output=True)
    while True:
        lines = calls.read_text().splitlines()
        wanted = [lines[at + 1] for at, line in enumerate(lines) if line == "--- put the picture here"]
        if not wanted:
            break
        for path in wanted:
            (made / path).parent.mkdir(parents=True, exist_ok=True)
            (made / path).write_bytes(PNG)
        subprocess.run([juror, "make", "micon", *step], check=True, capture_output=True)

    builder = PromptBuilder(project_root=str(code))
    cards = []
    for path in sorted(made.glob("data/*/cases/*.yaml")):
        loaded = builder.load_case(path)
        assert all((made / ref).is_file() for ref in loaded["refs"].values()), loaded
        assert loaded["task_type"] == path.parts[-3]
        assert builder.build_judge_prompt(loaded, loaded["task_type"])
        cards.append({"path": str(path.relative_to(made)), "text": path.read_text(), "loaded": loaded})

told = {"source": "MICON-Bench f32acfd, run by micon_cards.py", "seed": int(SEED), "counts": COUNTS, "cards": cards}
out.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n")
print(len(cards), "cards")
