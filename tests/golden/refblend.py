"""RefBlend's released sampler on a recorded stream of choices, by the authors' own functions.

Writes refblend.json: for lists of valid kinds and a seed what `select_random_compatible_conditions` returns, and for whole
entries what `parallel_save_incremental_prompts` makes of them: the kinds in the order drawn, the pictures that the tokens
stand for, and the basic instruction, put together of sentences of our own in the form of their `condition_mapping.json`.
Each choice is the next number of SplitMix64, as Juror draws: `random()` is its upper 53 bits, shuffles and choices follow
CPython's own algorithms with ⌊random() · n⌋ for a whole number below n, and weights are looked up as CPython does.
The kinds that passed reach the sampler in the matrix's order, as the order of a Python set is nobody's.

    git clone https://github.com/Dipsy0830/MultiRef-code && git -C MultiRef-code checkout ff0e77b
    python3 -m venv v && v/bin/pip install pandas && v/bin/python refblend.py MultiRef-code
"""

import bisect
import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile
import types


class Recorded:
    """The parts of Python's `random` that the authors call, on one stream."""

    def __init__(self, seed):
        self.state, self.count = seed, 0

    def random(self):
        mask = (1 << 64) - 1
        self.count += 1
        self.state = (self.state + 0x9E3779B97F4A7C15) & mask
        x = self.state
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & mask
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & mask
        return ((x ^ (x >> 31)) >> 11) / (1 << 53)

    def below(self, n):
        return int(self.random() * n)

    def shuffle(self, x):
        for i in reversed(range(1, len(x))):
            j = self.below(i + 1)
            x[i], x[j] = x[j], x[i]

    def choice(self, x):
        return x[self.below(len(x))]

    def choices(self, population, weights, k):
        assert k == 1
        sums, total = [], 0.0
        for weight in weights:
            total += weight
            sums.append(total)
        return [population[bisect.bisect(sums, self.random() * total, 0, len(population) - 1)]]


def quiet(function, *args, **keys):
    with contextlib.redirect_stdout(io.StringIO()):
        return function(*args, **keys)


code = pathlib.Path(sys.argv[1]).resolve()
out = pathlib.Path(__file__).with_name("refblend.json")
os.chdir(code)
sys.path.insert(0, str(code))
openai = types.ModuleType("openai")
openai.OpenAI = openai.AzureOpenAI = None
sys.modules["openai"] = openai

import conditions.select_new_condition as select  # noqa: E402
import generate_instructions_new as generate  # noqa: E402

MATRIX = "conditions/condition-conpa.csv"
ORDER = ["bbox", "mask", "pose", "caption", "subject", "semantic_map", "depth", "canny", "sketch", "style"]
LISTS = [
    ORDER,
    ["bbox", "mask", "caption", "subject", "semantic_map", "depth", "canny", "sketch"],
    ["bbox", "mask", "caption", "semantic_map", "depth", "canny", "sketch", "style"],
    ["pose", "caption", "subject"],
    ["bbox", "mask"],
    ["pose", "style"],
    ["depth"],
    [],
]

samples = []
for at, valid in enumerate(LISTS):
    for n in (2, 3, 4):
        for seed in range(8):
            select.random = Recorded(1000 * at + seed)
            found = quiet(select.select_random_compatible_conditions, list(valid), n, MATRIX)
            samples.append({"valid": valid, "n": n, "seed": 1000 * at + seed, "drawn": list(found), "numbers": select.random.count})

ENTRY = {
    "original_image_path": "o/1.jpg",
    "semantic_map_path": "r/semantic_map/1.png",
    "sketch_path": "r/sketch/1.png",
    "canny_path": "r/canny/1.png",
    "depth_path": "r/depth/1.png",
    "bbox_path": "r/bbox/1.png",
    "mask_path": "r/mask/1.png",
    "subject_paths": ["r/subject/1.png", "r/subject/1_2.png", "r/subject/1_3.png"],
    "caption": "A cat on a chair.",
}
FIVE = {key: 5 for key in generate.criteria}
JUDGES = [
    FIVE,
    {**FIVE, "Mask Alignment": 2},
    {**FIVE, "Canny Quality": 2, "Sketch Alignment": 1, "Semantic-Map Quality": 2, "Caption Alignment": 2},
    {**FIVE, "Canny Quality": 1, "Sketch Quality": 1, "Semantic-Map Alignment": 1, "Caption Alignment": 1, "Mask Alignment": 1},
    {key: value for key, value in FIVE.items() if key != "Caption Alignment"},
]

NOUNS = {"bbox": "box", "mask": "mask", "semantic_map": "regions", "depth": "depth", "canny": "edges", "sketch": "lines"}
MAPPING = {
    kind: {
        "template": [f"Take the {noun} from <{token}>.", f"Let <{token}> decide the {noun}.", f"Mind the {noun} of <{token}>"],
        "path_key": f"{kind}_path",
        "image_fill_key": token,
    }
    for kind, noun in NOUNS.items()
    for token in [("semantic" if kind == "semantic_map" else kind) + "_image"]
}
MAPPING["subject"] = {
    "template": ["with <subject_1>.", "about <subject_1>."],
    "path_key": "subject_paths",
    "image_fill_key": "subject_1",
}

real = select.select_random_compatible_conditions
generate.select_random_compatible_conditions = lambda valid_condition_list, **keys: real(
    sorted(valid_condition_list, key=ORDER.index), **keys
)
generate.get_response_with_retry = lambda prompt, *_, **__: "rewritten: " + prompt

entries = []
for at, judge in enumerate(JUDGES):
    for seed in range(8):
        keys = list(ENTRY)
        if seed >= 6:
            # Fewer kinds, so that three of them are not to be had.
            keys = ["original_image_path", "canny_path", "depth_path", "caption"]
        entry = {key: ENTRY[key] for key in keys} | {"judge": judge}
        stream = Recorded(7000 + 10 * at + seed)
        select.random = generate.random = stream
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.json")
            generate.CONDITION_MAPPING_FILE_PATH = os.path.join(folder, "mapping.json")
            pathlib.Path(generate.CONDITION_MAPPING_FILE_PATH).write_text(json.dumps(MAPPING))
            quiet(generate.parallel_save_incremental_prompts, [entry], 1, path, max_workers=1)
            made = json.loads(pathlib.Path(path).read_text())
        told = made[0]["instructions"] if made else None
        entries.append(
            {
                "entry": entry,
                "seed": 7000 + 10 * at + seed,
                "made": told
                and {
                    "conditions": told["conditions"],
                    "image_path_mapping": told["image_path_mapping"],
                    "original_prompts": told["original_prompts"],
                },
            }
        )

told = {"source": "MultiRef-code ff0e77b, run by refblend.py", "mapping": MAPPING, "samples": samples, "entries": entries}
lines = json.dumps(told, ensure_ascii=False).replace('}, {"valid"', '},\n{"valid"').replace('}, {"entry"', '},\n{"entry"')
out.write_text(lines + "\n")
