"""Exports the networks that Juror's metrics need, each as a pack, from weights that you have.

    pip install torch torchvision transformers==4.47.1 lpips==0.1.4 onnx onnxruntime
    python networks.py clip OUT                        # openai/clip-vit-base-patch16, picture and text
    python networks.py aesthetics OUT                  # CLIP ViT-L/14 with LAION's linear head, as shunk031 publishes it
    python networks.py inception OUT                   # torchvision's Inception-v3 with ImageNet weights
    python networks.py dino OUT                        # facebook/dinov2-base
    python networks.py lpips OUT                       # LPIPS with AlexNet
    python networks.py depth OUT --code Depth-Anything-V2 --weights depth_anything_v2_vitb.pth [--size vits]
    python networks.py sketch OUT --code informative-drawings --weights netG_A_latest.pth
    python networks.py pose OUT --code HigherHRNet-Human-Pose-Estimation --weights pose_higher_hrnet_w32_512.pth

With --small the same operators are built narrow and with random weights: what Juror's own tests run.
"""
import argparse
import importlib
import pathlib
import sys

import numpy as np
import torch
from torch import nn

from pack import CLIP_PIXELS, IMAGENET_PIXELS, Pack, pictures

NARROW = 16


def narrowed(module, divisor=NARROW):
    """The same network with so many times fewer channels, and random weights."""
    def fewer(count):
        return count if count <= 3 else max(1, count // divisor)

    for name, child in module.named_children():
        # A part may stand in its network under two names.
        if getattr(child, "is_narrow", False):
            continue
        if isinstance(child, (nn.Conv2d, nn.ConvTranspose2d)):
            extra = {"output_padding": child.output_padding} if isinstance(child, nn.ConvTranspose2d) else {}
            made = type(child)(fewer(child.in_channels), fewer(child.out_channels), child.kernel_size, child.stride, child.padding,
                               bias=child.bias is not None, **extra)
            made.is_narrow = True
            setattr(module, name, made)
        elif isinstance(child, nn.BatchNorm2d):
            made = nn.BatchNorm2d(fewer(child.num_features), eps=child.eps)
            made.running_mean.normal_(0, 0.1)
            made.running_var.uniform_(0.5, 1.5)
            setattr(module, name, made)
        else:
            narrowed(child, divisor)
    return module


def clip_pixels(side):
    base = {"path": "pil_bicubic_u8", "resize": {"short_side": side}, **CLIP_PIXELS}
    return {
        "pixels": {**base, "crop": {"side": side, "rounding": "floor"}, "rescale": "multiply"},
        "caption_pixels": {**base, "crop": {"side": side, "rounding": "half_even"}, "rescale": "twice"},
    }


class ClipImage(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, pixel_values):
        return self.model.visual_projection(self.model.vision_model(pixel_values=pixel_values).pooler_output)


class ClipText(nn.Module):
    """Pools at the first largest id without ArgMax, of which runners disagree where ids are equal."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, input_ids):
        hidden = self.model.text_model(input_ids=input_ids).last_hidden_state
        length = input_ids.shape[1]
        back = torch.arange(length, 0, -1, dtype=torch.float32)
        largest = (input_ids == input_ids.max(dim=1, keepdim=True).values).float()
        first = (largest * back).max(dim=1, keepdim=True).values
        place = (back[None] == first).float()
        return self.model.text_projection((hidden * place[..., None]).sum(dim=1))


def clip(args):
    from transformers import CLIPConfig, CLIPModel, CLIPTextConfig, CLIPTokenizerFast, CLIPVisionConfig
    if args.small:
        text = CLIPTextConfig(vocab_size=512, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2,
                              projection_dim=24, eos_token_id=2)
        vision = CLIPVisionConfig(hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2, image_size=32,
                                  patch_size=8, projection_dim=24)
        model = CLIPModel(CLIPConfig.from_text_vision_configs(text, vision, projection_dim=24))
        side, end, name, tokenizer = 32, 511, "clip-small", small_tokenizer()
    else:
        source = args.source or "openai/clip-vit-base-patch16"
        model, side, end = CLIPModel.from_pretrained(source, attn_implementation="eager"), 224, 49407
        name = source.rsplit("/", 1)[-1]
        tokenizer = CLIPTokenizerFast.from_pretrained(source).backend_tokenizer.to_str()
    model = model.eval()
    pack = Pack(args.out, name, "clip", args.source or "openai/clip-vit-base-patch16", "MIT", "both")
    width = model.config.projection_dim
    pack.graph("image", ClipImage(model), [(one,) for one in pictures(side)], [("pixel_values", ["n", 3, side, side])],
               [("embeds", ["n", width])], original=lambda one: model.get_image_features(pixel_values=one),
               dynamic={"pixel_values": {0: "n"}, "embeds": {0: "n"}}, **clip_pixels(side))
    # An ordinary text, one that fills all places and has lost its end, with its largest id twice, and one of two tokens.
    texts = [[end - 1, 5, 9, 30, end], [end - 1] + [3 + at * 7 % 400 for at in range(75)] + [400], [end - 1, end]]
    texts[1][20] = texts[1][60] = end - 1
    ids = [torch.tensor([one + [0] * (77 - len(one))]) for one in texts]
    pack.graph("text", ClipText(model), [(one,) for one in ids], [("input_ids", ["n", 77])], [("embeds", ["n", width])],
               original=lambda one: model.get_text_features(input_ids=one), dynamic={"input_ids": {0: "n"}, "embeds": {0: "n"}},
               text={"tokenizer": pack.add("tokenizer.json", tokenizer.encode()), "max_tokens": 77, "pad": 0})
    pack.close()


def small_tokenizer():
    """A tokeniser with CLIP's steps and a vocabulary of this file's own words."""
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
    tokenizer = Tokenizer(models.BPE(continuing_subword_prefix="", end_of_word_suffix="</w>", unk_token="<|endoftext|>"))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFC(), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()])
    words = r"""<\|startoftext\|>|<\|endoftext\|>|'s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+"""
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(words), behavior="removed", invert=True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = sorted(chr(code) for code in range(33, 127))
    trainer = trainers.BpeTrainer(vocab_size=510, end_of_word_suffix="</w>", initial_alphabet=alphabet, show_progress=False)
    text = pathlib.Path(__file__).read_text(encoding="utf-8").splitlines()
    tokenizer.train_from_iterator(text, trainer)
    tokenizer.add_special_tokens(["<|startoftext|>", "<|endoftext|>"])
    start, end = (tokenizer.token_to_id(f"<|{what}oftext|>") for what in ("start", "end"))
    assert end < 512
    tokenizer.post_processor = processors.RobertaProcessing(sep=("<|endoftext|>", end), cls=("<|startoftext|>", start),
                                                            trim_offsets=False, add_prefix_space=False)
    return tokenizer.to_str()


def aesthetics(args):
    from transformers import CLIPVisionConfig, CLIPVisionModelWithProjection
    source = args.source or "shunk031/aesthetics-predictor-v1-vit-large-patch14"
    if args.small:
        config = CLIPVisionConfig(hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=2, image_size=32,
                                  patch_size=8, projection_dim=768)
        model, side, head = CLIPVisionModelWithProjection(config), 32, nn.Linear(768, 1)
    else:
        from aesthetics_predictor import AestheticsPredictorV1
        predictor = AestheticsPredictorV1.from_pretrained(source)
        model, side, head = predictor, 224, predictor.predictor
    pack = Pack(args.out, "aesthetics-small" if args.small else source.rsplit("/", 1)[-1], "aesthetics", source, "MIT", "both")
    flat = np.concatenate([head.weight.detach().numpy().reshape(-1), head.bias.detach().numpy().reshape(-1)])
    pack.graph("image", ClipImage(model), [(one,) for one in pictures(side)], [("pixel_values", ["n", 3, side, side])],
               [("embeds", ["n", 768])], dynamic={"pixel_values": {0: "n"}, "embeds": {0: "n"}},
               pixels=clip_pixels(side)["pixels"], head=pack.array("head.npy", flat))
    pack.close()


def inception(args):
    from torchvision.models import Inception_V3_Weights, inception_v3
    model = inception_v3(weights=None if args.small else Inception_V3_Weights.IMAGENET1K_V1, transform_input=False, init_weights=False,
                         aux_logits=True) if args.small else inception_v3(weights=Inception_V3_Weights.IMAGENET1K_V1)
    model.transform_input = False
    model.AuxLogits, model.fc = None, nn.Identity()
    model.aux_logits = False
    if args.small:
        narrowed(model)
    side = 107 if args.small else 299
    pack = Pack(args.out, "inception-small" if args.small else "inception-v3-imagenet", "inception",
                "torchvision, Inception_V3_Weights.IMAGENET1K_V1", "BSD-3-Clause", "released")
    width = 2048 // (NARROW if args.small else 1)
    pack.graph("image", model, [(one,) for one in pictures(side, 2)], [("pixel_values", ["n", 3, side, side])], [("features", ["n", width])],
               dynamic={"pixel_values": {0: "n"}, "features": {0: "n"}},
               pixels={"path": "pil_bilinear_u8", "resize": {"short_side": side}, "crop": {"side": side, "rounding": "half_even"},
                       "rescale": "divide", **IMAGENET_PIXELS})
    pack.close()


class Tokens(nn.Module):
    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, pixel_values):
        return self.model(pixel_values=pixel_values).last_hidden_state


def dino(args):
    from transformers import Dinov2Config, Dinov2Model
    source = args.source or "facebook/dinov2-base"
    if args.small:
        config = Dinov2Config(hidden_size=32, num_hidden_layers=2, num_attention_heads=2, mlp_ratio=2, image_size=42, patch_size=7)
        model, side = Dinov2Model(config), 28
    else:
        model, side = Dinov2Model.from_pretrained(source, attn_implementation="eager"), 224
    model = model.eval()
    with torch.no_grad():
        nn.init.normal_(model.embeddings.position_embeddings, std=0.5) if args.small else None
        original = Tokens(model)
        cases = [(one,) for one in pictures(side)]
        wanted = {id(case[0]): original(*case) for case in cases}
        patches = model.embeddings.patch_embeddings(cases[0][0])
        whole = torch.cat((model.embeddings.cls_token, patches), dim=1)
        frozen = model.embeddings.interpolate_pos_encoding(whole, side, side).clone()
    # At this size the table never changes, and no runner has to resize it.
    model.embeddings.interpolate_pos_encoding = lambda *_: frozen
    pack = Pack(args.out, "dino-small" if args.small else source.rsplit("/", 1)[-1], "dino", source, "Apache-2.0", "both")
    tokens = (side // model.config.patch_size) ** 2 + 1
    pack.graph("image", original, cases, [("pixel_values", [1, 3, side, side])], [("tokens", [1, tokens, model.config.hidden_size])],
               original=lambda one: wanted[id(one)],
               pixels={"path": "pil_bicubic_u8", "resize": {"short_side": side * 256 // 224}, "crop": {"side": side, "rounding": "floor"},
                       "rescale": "multiply", **IMAGENET_PIXELS})
    pack.close()


def perceptual(args):
    import lpips
    model = lpips.LPIPS(net="alex", pretrained=not args.small, pnet_rand=args.small, verbose=False)
    if args.small:
        narrowed(model)
        for lin in model.lins:
            lin.model[-1].weight.data.abs_()
    pack = Pack(args.out, "lpips-alex-small" if args.small else "lpips-alex", "lpips", "lpips 0.1.4", "BSD-2-Clause", "both")
    a, b, c = pictures(64, 3, 72)
    axes = {2: "h", 3: "w"}
    pack.graph("pair", model, [(a, b), (b, c), (a, a)], [("reference", [1, 3, "h", "w"]), ("candidate", [1, 3, "h", "w"])],
               [("distance", [1, 1, 1, 1])], dynamic={"reference": axes, "candidate": axes},
               pixels={"path": "pil_lanczos_u8", "resize": "as_is", "rescale": "divide"})
    pack.close()


class Depth(nn.Module):
    """Depth Anything V2 with the table of positions as an input, so that no runner has to resize it by a cubic kernel."""

    def __init__(self, model):
        super().__init__()
        self.model = model
        self.table = None
        model.pretrained.interpolate_pos_encoding = lambda *_: self.table

    def forward(self, pixel_values, positions):
        self.table = positions
        return self.model(pixel_values)


def depth(args):
    sys.path.insert(0, args.code)
    from depth_anything_v2.dpt import DepthAnythingV2
    sizes = {"vits": (64, [48, 96, 192, 384]), "vitb": (128, [96, 192, 384, 768])}
    features, channels = sizes[args.size]
    model = DepthAnythingV2(encoder=args.size, features=features, out_channels=channels).eval()
    model.load_state_dict(torch.load(args.weights, map_location="cpu"))
    licence = "CC-BY-NC-4.0" if args.size == "vitb" else "Apache-2.0"
    pack = Pack(args.out, f"depth-anything-v2-{args.size}", "depth", "DepthAnything/Depth-Anything-V2", licence, "both")
    width = model.pretrained.embed_dim
    table = model.pretrained.pos_embed.detach()
    interpolate = type(model.pretrained).interpolate_pos_encoding
    cases = []
    for h, w in ((518, 518), (518, 770)):
        picture = pictures(h, 1, w)[0]
        whole = torch.zeros(1, 1 + h * w // 196, width)
        cases.append((picture, interpolate(model.pretrained, whole, h, w).detach().clone()))
    wanted = {id(case[0]): model(case[0]).detach() for case in cases}
    pack.graph("image", Depth(model), cases, [("pixel_values", [1, 3, "h", "w"]), ("positions", [1, "tokens", width])],
               [("depth", [1, "h", "w"])], original=lambda one, _: wanted[id(one)],
               dynamic={"pixel_values": {2: "h", 3: "w"}, "positions": {1: "tokens"}, "depth": {1: "h", 2: "w"}},
               pixels={"path": "cv_cubic_f64", "resize": {"depth": 518}, "rescale": "divide_f64", **IMAGENET_PIXELS},
               head=pack.array("positions.npy", table.numpy()))
    pack.close()


def sketch(args):
    sys.path.insert(0, args.code)
    model = importlib.import_module("model").Generator(3, 1, 3).eval()
    if args.small:
        narrowed(model)
    else:
        model.load_state_dict(torch.load(args.weights, map_location="cpu"))
    pack = Pack(args.out, "contour-style-small" if args.small else "contour-style", "sketch", "carolineec/informative-drawings", "MIT", "both")
    cases = [(one.abs() / 4,) for one in (*pictures(32, 1), *pictures(34, 1, 45))]
    pack.graph("image", model, cases, [("pixel_values", [1, 3, "h", "w"])], [("lines", [1, 1, "h4", "w4"])],
               dynamic={"pixel_values": {2: "h", 3: "w"}, "lines": {2: "h4", 3: "w4"}},
               pixels={"path": "pil_bicubic_u8", "resize": {"short_side": 256}, "rescale": "divide"})
    pack.close()


def pose(args):
    sys.path.insert(0, str(pathlib.Path(args.code) / "lib"))
    from config import cfg
    from models.pose_higher_hrnet import PoseHigherResolutionNet
    cfg.defrost()
    cfg.merge_from_file(str(pathlib.Path(args.code) / "experiments/coco/higher_hrnet/w32_512_adam_lr1e-3.yaml"))
    model = PoseHigherResolutionNet(cfg).eval()
    model.load_state_dict(torch.load(args.weights, map_location="cpu"))
    pack = Pack(args.out, "higherhrnet-w32-512", "pose", "HRNet/HigherHRNet-Human-Pose-Estimation", "MIT", "both")
    pack.graph("image", model, [(one,) for one in pictures(512, 2)], [("pixel_values", [1, 3, 512, 512])],
               [("maps_and_tags", [1, 34, 128, 128]), ("maps", [1, 17, 256, 256])],
               pixels={"path": "pil_bicubic_u8", "resize": {"exact": [512, 512]}, "rescale": "divide", **IMAGENET_PIXELS})
    pack.close()


NETWORKS = {"clip": clip, "aesthetics": aesthetics, "inception": inception, "dino": dino, "lpips": perceptual, "depth": depth,
            "sketch": sketch, "pose": pose}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", choices=NETWORKS)
    parser.add_argument("out", help="folder of the pack")
    parser.add_argument("--source", help="name or folder of the weights, where they are not the usual ones")
    parser.add_argument("--code", help="the authors' repository")
    parser.add_argument("--weights", help="the authors' file of weights")
    parser.add_argument("--size", choices=["vits", "vitb"], default="vitb")
    parser.add_argument("--small", action="store_true", help="narrow, with random weights: for tests alone")
    parsed = parser.parse_args()
    torch.manual_seed(20)
    NETWORKS[parsed.network](parsed)
