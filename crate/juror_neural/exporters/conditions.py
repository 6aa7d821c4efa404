"""Writes every condition file of a model's folder with the networks of MultiRef's evaluator, for `juror conditions`.

Run it in the authors' environment (their environment.yml and the weights that their README names), from their folder eval/:

    cd MultiRef-code/eval
    python .../conditions.py --suite benchmark990v3.json --results alpha.json --out alpha --references references

`--results` is a result list of the model, as the authors' scripts write it; `--suite` the benchmark's list, whose pictures and
captions the features of references are made of. For each output it writes OUT/CONDITION/SAMPLE.png or .npy, only for conditions
that the sample has, and for each reference REFERENCES/CONDITION/SAMPLE.npy. OUT/networks.json says which network wrote what.
A file that is there already is kept, so that a run can be continued; what fails is told and leaves no file.
With `--only fid,subject` others are left out: box, mask and region map need a GPU and the most time.
"""
import argparse
import importlib.metadata
import json
import pathlib
import sys
import traceback

import numpy as np
import torch
from PIL import Image

CLIP = "openai/clip-vit-base-patch16"
PACKAGES = ("torch", "torchvision", "transformers", "torchmetrics", "pillow", "opencv-contrib-python", "simple-aesthetics-predictor")
USED = {
    "depth": "Depth-Anything-V2 ViT-B", "sketch": "informative-drawings contour_style", "pose": "HigherHRNet-W32-512",
    "semantic_map": "SAM 2.1 Hiera-L", "bbox": "Florence-2-large on a caption by GPT-4o-mini", "mask": "Florence-2-large and SAM 2.1 Hiera-L",
    "subject": CLIP, "style": CLIP, "caption": f"{CLIP}, pictures as torchmetrics' CLIPScore hands them on",
    "fid": "torchvision Inception-v3, IMAGENET1K_V1", "aesthetics": "shunk031/aesthetics-predictor-v1-vit-large-patch14",
}


class Clip:
    def __init__(self):
        from transformers import CLIPModel, CLIPProcessor
        self.model, self.processor = CLIPModel.from_pretrained(CLIP).eval(), CLIPProcessor.from_pretrained(CLIP)

    @torch.no_grad()
    def picture(self, path):
        inputs = self.processor(images=Image.open(path).convert("RGB"), return_tensors="pt")
        return self.model.get_image_features(**inputs)[0].numpy()

    @torch.no_grad()
    def captioned(self, path):
        """As the evaluator prepares a picture before CLIPScore, whose processor scales it a second time."""
        from torchvision import transforms
        prepare = transforms.Compose([transforms.Resize(224, transforms.InterpolationMode.BICUBIC), transforms.CenterCrop(224), transforms.ToTensor()])
        inputs = self.processor(images=[prepare(Image.open(path).convert("RGB"))], return_tensors="pt")
        return self.model.get_image_features(**inputs)[0].numpy()

    @torch.no_grad()
    def text(self, text):
        ids = self.processor(text=[text], return_tensors="pt", padding=True)["input_ids"][:, :77]
        return self.model.get_text_features(input_ids=ids)[0].numpy()


class Inception:
    def __init__(self):
        from torchvision import transforms
        from torchvision.models import Inception_V3_Weights, inception_v3
        self.model = inception_v3(weights=Inception_V3_Weights.IMAGENET1K_V1, transform_input=False).eval()
        self.model.transform_input, self.model.fc = False, torch.nn.Identity()
        self.prepare = transforms.Compose([transforms.Resize(299), transforms.CenterCrop(299), transforms.ToTensor(),
                                           transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])])

    @torch.no_grad()
    def features(self, path):
        return self.model(self.prepare(Image.open(path).convert("RGB"))[None])[0].numpy()


class Lazy:
    """Loads a network when the first file wants it: whoever asks for features alone waits for nothing else."""

    def __init__(self):
        self.made = {}

    def __call__(self, kind):
        if kind not in self.made:
            self.made[kind] = kind()
        return self.made[kind]


def evaluator():
    from eval_condition import ImageConditionEvaluator
    made = ImageConditionEvaluator()
    made._load_depth_model()
    return made


def grounded(lazy, path):
    from conditions.to_ground_sam import get_bbox_and_single_mask_for_eval
    own = lazy(evaluator)
    return get_bbox_and_single_mask_for_eval(path, own.caption_for_image(path), own.sam2_model, own.florence_model, own.florence_processor, top_n=1)


def made(lazy, condition, path, out):
    """Writes one file without its extension's being known before."""
    def array(values):
        np.save(out.with_suffix(".npy"), np.asarray(values))

    if condition == "depth":
        from conditions.to_depth import get_depth
        array(get_depth(path, lazy(evaluator).depth_model))
    elif condition == "sketch":
        from conditions.to_sketch_new import get_sketch
        array(get_sketch(path))
    elif condition == "pose":
        from conditions.to_pose_no_args import get_pose_and_save
        get_pose_and_save(path, str(out.with_suffix(pathlib.Path(path).suffix)))
    elif condition == "semantic_map":
        from conditions.to_ground_sam import get_semantic_map_wo_save
        array(np.asarray(get_semantic_map_wo_save(path, lazy(evaluator).sam2_model), np.uint8))
    elif condition == "bbox":
        array(np.asarray(grounded(lazy, path)[1][0], np.float64))
    elif condition == "mask":
        array(np.asarray(grounded(lazy, path)[0][0]).astype(np.uint8))
    elif condition == "fid":
        array(lazy(Inception).features(path))
    elif condition == "aesthetics":
        from traditional_metrics import calculate_aesthetics_score
        array([float(calculate_aesthetics_score(path))])
    elif condition == "caption":
        array(lazy(Clip).captioned(path))
    else:
        array(lazy(Clip).picture(path))


def entries(path):
    found = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    return found if isinstance(found, list) else [one for part in found.values() if isinstance(part, list) for one in part]


def first(value):
    return value[0] if isinstance(value, list) else value


def write(folder, condition, name, make):
    out = folder / condition / name
    if any(out.parent.glob(f"{name}.*")):
        return 0
    out.parent.mkdir(parents=True, exist_ok=True)
    try:
        make(out)
        return 1
    except Exception:
        print(f"{out}: no file, as its network failed:", file=sys.stderr)
        traceback.print_exc()
        return 0


def main(args):
    lazy, only, count = Lazy(), set(args.only.split(",")) if args.only else set(USED), 0
    unknown = only - set(USED)
    if unknown:
        sys.exit(f"--only: there is no condition {', '.join(sorted(unknown))}; known: {', '.join(USED)}")
    names = {}
    for entry in entries(args.suite):
        name = pathlib.Path(entry["original_image_path"]).stem
        listed = set(entry["instructions"]["conditions"])
        names[name] = listed
        known = entry["conditions"]
        for condition, key in (("subject", "subject_paths"), ("style", "style_path")):
            if condition in listed & only:
                path = str(pathlib.Path(args.suite).parent / first(known[key]))
                count += write(args.references, condition, name, lambda out, path=path: np.save(out.with_suffix(".npy"), lazy(Clip).picture(path)))
        if "caption" in listed & only:
            text = known["caption"]
            count += write(args.references, "caption", name, lambda out, text=text: np.save(out.with_suffix(".npy"), lazy(Clip).text(text)))
    for entry in entries(args.results):
        name, path = pathlib.Path(entry["original_image_path"]).stem, entry.get("results", {}).get("image_path")
        if name not in names or not path:
            continue
        path = str(pathlib.Path(args.results).parent / path)
        for condition in sorted((names[name] | {"fid", "aesthetics"}) & only):
            count += write(args.out, condition, name, lambda out, condition=condition: made(lazy, condition, path, out))
    versions = {}
    for package in PACKAGES:
        try:
            versions[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    args.out.mkdir(parents=True, exist_ok=True)
    told = {"networks": {one: USED[one] for one in sorted(only)}, "packages": versions}
    (args.out / "networks.json").write_text(json.dumps(told, indent=1), encoding="utf-8")
    print(f"{count} files written; {args.out / 'networks.json'} says which network wrote which.")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", required=True)
    parser.add_argument("--results", required=True)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--references", required=True, type=pathlib.Path)
    parser.add_argument("--only", default="")
    sys.path[:0] = [".", ".."]
    main(parser.parse_args())
