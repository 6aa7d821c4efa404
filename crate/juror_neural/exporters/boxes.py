"""Finds the objects of MICON-Bench's cases with GroundingDINO and writes them as box files (`juror-boxes/1`), for Table 4.

    pip install torch transformers==4.47.1 pillow pyyaml
    python boxes.py MICON/Evaluation --list objects.csv                     # the cases, to fill in
    python boxes.py MICON/Evaluation --objects objects.csv --model MICON/Evaluation/outputs/generations/alpha

The list has the columns `task,case,reference,object`: one row for each object that the prompt names, with the reference that shows
it. Without a reference the object is looked for in every reference of the case.
For each reference it writes BENCHMARK/data/boxes/TASK/CASE.REFERENCE.json, and for each output of a --model
MODEL/boxes/TASK/CASE.json, whose objects are those that some reference has. A file that is there already is kept, so that a run
can be continued; --again writes it anew.

Each object is looked for by itself, as the text "red hat.": its box is the one with the highest score, if that reaches --box.
Together in one text, phrases run into each other, and a box may get words of two objects. The paper names neither the network's
size nor a threshold, so every file says both in `detector`.
With --small a narrow network with random weights takes the place of the real one, to try the files without any download.
"""
import argparse
import csv
import json
import os
import pathlib
import sys

TASKS = ("object_composition", "spatial_geometric_constraints")
SUFFIXES = (".png", ".jpg", ".jpeg")
COLUMNS = ["task", "case", "reference", "object"]


def cases(benchmark):
    """Task, case, references by name and prompt of each card of the two tasks that Table 4 is of."""
    import yaml

    found = []
    for task in TASKS:
        for path in sorted((benchmark / "data" / task / "cases").glob("*.yaml")):
            card = yaml.safe_load(path.read_text(encoding="utf-8"))
            refs = {name: benchmark / file for name, file in card["refs"].items()}
            found.append((task, str(card.get("case_id", path.stem)), refs, card["generation_prompt"].strip()))
    if not found:
        sys.exit(f"{benchmark}: no case cards; expected data/{TASKS[0]}/cases/*.yaml below it")
    return found


def write_list(path, found):
    if path.exists():
        sys.exit(f"{path} exists; give another name, so that nothing that was filled in is lost")
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow([*COLUMNS, "prompt"])
        for task, case, refs, prompt in found:
            rows.writerows([task, case, name, "", prompt] for name in refs)


def read_list(path, found):
    """Objects by case and reference: every row names a case that is there and a reference of it."""
    refs_of = {(task, case): refs for task, case, refs, _ in found}
    wanted = {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file)
        if not set(COLUMNS) <= set(rows.fieldnames or []):
            sys.exit(f"{path}, line 1: expected the columns {','.join(COLUMNS)}, got {','.join(rows.fieldnames or [])}")
        for row in rows:
            line, key = rows.line_num, (row["task"], row["case"])
            name, reference = (row["object"] or "").strip(), (row["reference"] or "").strip()
            if not name:
                continue
            if key not in refs_of:
                sys.exit(f"{path}, line {line}: the benchmark has no case {row['task']}/{row['case']}")
            if reference and reference not in refs_of[key]:
                sys.exit(f"{path}, line {line}: the case has no reference {reference}; it has {', '.join(refs_of[key])}")
            for one in [reference] if reference else refs_of[key]:
                names = wanted.setdefault(key, {}).setdefault(one, [])
                if name in names:
                    sys.exit(f"{path}, line {line}: {name} is there twice for {reference or one}")
                names.append(name)
    if not wanted:
        sys.exit(f"{path}: no row has an object; write those that each prompt names into the column object")
    return wanted


class Detector:
    def __init__(self, args):
        import torch
        from transformers import AutoProcessor, GroundingDinoForObjectDetection

        self.torch, self.limit = torch, args.box
        if args.small:
            self.processor, self.model = small(args.small)
            self.name = "GroundingDINO with random weights"
        else:
            self.processor = AutoProcessor.from_pretrained(args.network)
            self.model = GroundingDinoForObjectDetection.from_pretrained(args.network)
            self.name = args.network.rstrip("/").rsplit("/", 1)[-1]
        self.model = self.model.to(args.device).eval()
        self.device = args.device
        self.name = f"{self.name}, each object by itself, box {args.box}"

    def box(self, picture, text):
        """The box with the highest score, in pixels, or None where none reaches the limit."""
        inputs = self.processor(images=picture, text=f"{text.lower().rstrip('.')}.", return_tensors="pt").to(self.device)
        with self.torch.no_grad():
            output = self.model(**inputs)
        scores = output.logits[0].sigmoid().max(dim=-1).values
        best = int(scores.argmax())
        if float(scores[best]) < self.limit:
            return None
        across, down, wide, high = (float(part) for part in output.pred_boxes[0, best])
        width, height = picture.size
        left, right = max(0.0, (across - wide / 2) * width), min(float(width), (across + wide / 2) * width)
        top, bottom = max(0.0, (down - high / 2) * height), min(float(height), (down + high / 2) * height)
        # A box without a whole pixel has no crop.
        if round(right) <= round(left) or round(bottom) <= round(top):
            return None
        return [round(edge, 2) for edge in (left, top, right, bottom)]

    def file(self, path, names):
        from PIL import Image

        # As it is stored: a crop is one of these pixels.
        picture = Image.open(path).convert("RGB")
        return {"format": "juror-boxes/1", "detector": self.name, "size": list(picture.size),
                "boxes": {name: self.box(picture, name) for name in names}}


def small(vocabulary):
    """The architecture with few channels and random weights, and a tokeniser of a word list."""
    import torch
    from transformers import (BertConfig, BertTokenizerFast, GroundingDinoConfig, GroundingDinoForObjectDetection,
                              GroundingDinoImageProcessor, GroundingDinoProcessor, SwinConfig)

    torch.manual_seed(1)
    tokenizer = BertTokenizerFast(vocab_file=vocabulary)
    config = GroundingDinoConfig(
        backbone_config=SwinConfig(embed_dim=12, depths=[1, 1, 1, 1], num_heads=[1, 1, 2, 2], window_size=7, out_features=["stage2", "stage3", "stage4"]),
        text_config=BertConfig(vocab_size=len(tokenizer), hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64),
        d_model=32, encoder_layers=1, decoder_layers=1, encoder_attention_heads=2, decoder_attention_heads=2, encoder_ffn_dim=64,
        decoder_ffn_dim=64, num_queries=20, positional_embedding_temperature=20)
    processor = GroundingDinoProcessor(GroundingDinoImageProcessor(size={"shortest_edge": 224, "longest_edge": 320}), tokenizer)
    return processor, GroundingDinoForObjectDetection(config)


def write(path, made, again):
    """One whole file or none."""
    if path.exists() and not again:
        return 0
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    part.write_text(json.dumps(made(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    os.replace(part, path)
    return 1


def objects_of(benchmark, key, names_by_reference):
    """The objects of a case that a reference has a box of, as its files say."""
    found = []
    for reference in names_by_reference:
        path = benchmark / "data" / "boxes" / key[0] / f"{key[1]}.{reference}.json"
        if path.exists():
            boxes = json.loads(path.read_text(encoding="utf-8"))["boxes"]
            found += [name for name, box in boxes.items() if box and name not in found]
    return found


def attempt(path, made, again, failed):
    try:
        return write(path, made, again)
    except (OSError, ValueError, SyntaxError) as error:
        print(f"{path}: not written, as the picture cannot be read: {error}", file=sys.stderr)
        failed.append(path)
        return 0


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("benchmark", type=pathlib.Path, help="the folder that holds data/")
    parser.add_argument("--list", type=pathlib.Path, help="write the list of cases to fill in, and nothing else")
    parser.add_argument("--objects", type=pathlib.Path, help="the list that was filled in")
    parser.add_argument("--model", type=pathlib.Path, action="append", default=[], help="a model's folder of outputs; may be given several times")
    parser.add_argument("--network", default="IDEA-Research/grounding-dino-tiny", help="a name at Hugging Face, or a folder")
    parser.add_argument("--box", type=float, default=0.35, help="the least score of a box (0.35)")
    parser.add_argument("--device", default="cpu", help="cpu or cuda")
    parser.add_argument("--again", action="store_true", help="write files that are there already anew")
    parser.add_argument("--small", metavar="VOCABULARY", help="random weights, with this word list: no numbers mean anything then")
    args = parser.parse_args()
    if bool(args.list) == bool(args.objects):
        parser.error("give --list FILE to write the list, or --objects FILE to find what it names")
    if not 0 < args.box < 1:
        parser.error(f"--box {args.box}: expected a score between 0 and 1")
    return args


def main():
    args = arguments()
    found = cases(args.benchmark)
    if args.list:
        write_list(args.list, found)
        print(f"{args.list}: {len(found)} cases; write each object beside the reference that shows it")
        return
    wanted = read_list(args.objects, found)
    if lacking := [str(folder) for folder in args.model if not folder.is_dir()]:
        sys.exit(f"{', '.join(lacking)}: no such folder of a model's outputs")
    detector, failed, written, missing = Detector(args), [], 0, 0
    for task, case, refs, _ in found:
        names = wanted.get((task, case))
        if not names:
            continue
        for reference, picture in refs.items():
            path = args.benchmark / "data" / "boxes" / task / f"{case}.{reference}.json"
            of = names.get(reference, [])
            written += attempt(path, lambda: detector.file(picture, of), args.again, failed)
        objects = objects_of(args.benchmark, (task, case), refs)
        for folder in args.model:
            picture = next((p for p in (folder / task / f"{case}{suffix}" for suffix in SUFFIXES) if p.exists()), None)
            if picture is None or not objects:
                missing += 1
                continue
            written += attempt(folder / "boxes" / task / f"{case}.json", lambda: detector.file(picture, objects), args.again, failed)
    print(f"{written} box files written with {detector.name}; {missing} outputs without a picture or without an object in a reference")
    unlisted = sum((task, case) not in wanted for task, case, _, _ in found)
    if unlisted:
        print(f"{unlisted} cases have no object in {args.objects}: they get no value")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
