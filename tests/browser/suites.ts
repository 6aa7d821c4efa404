/**
 * A small benchmark of each protocol in its authors' layout, with two models: `alpha` is judged well, `beta` poorly,
 * with an output missing and a reply that cannot be read.
 */
import { TempFolder, png } from './helpers';

/** What a spec looks for in such a folder. */
export interface Suite {
  protocol: string;
  title: string;
  /** Folders to open, below the temporary folder. */
  folders: string[];
  /** A sample that both models answered. */
  sample: string;
  /** What its instruction says. */
  instruction: string;
  /** A kind of request, and how many pictures it shows. */
  request: { id: string; pictures: number };
  /** The kind of incident that `beta` must show. */
  incidents: string[];
  /** Set where both profiles are the same, as the benchmark declares its own formulas. */
  oneProfile?: boolean;
}

const RED = png(8, 8, [200, 60, 60]);
const BLUE = png(8, 8, [60, 60, 200]);
const GREEN = png(6, 8, [60, 160, 60]);
const NO_VERDICT = 'I would rather not say.';

function multibanana(folder: TempFolder): Suite {
  const answer = (scores: number[]): string =>
    ['Instruction Alignment', 'Reference Consistency', 'Background-Subject Match', 'Physical Realism', 'Visual Quality']
      .map((label, at) => `${label}: ${scores[at] ?? 1}`)
      .join('\n');
  const sets: [string, string, number][] = [
    ['single', '001', 1],
    ['add', '002', 2],
    ['add', '005', 2],
    ['3_local', '006', 3],
    ['4_back', '007', 4],
  ];
  const tasks = [...new Set(sets.map(([task]) => task))];
  for (const task of tasks)
    folder.write(`data/${task}/types.json`, JSON.stringify(Object.fromEntries(sets.filter(([of]) => of === task).map(([, number]) => [number, 'scale']))));
  for (const [task, number, references] of sets) {
    folder.write(`data/${task}/${number}_prompt.txt`, `Put the things of ${task} together.`);
    for (let at = 0; at < references; at += 1) folder.write(`data/${task}/${number}_${at}.png`, at % 2 === 0 ? RED : GREEN);
    for (const model of ['alpha', 'beta']) {
      if (model === 'beta' && number === '005') continue;
      folder.write(`${model}/${task}/${number}_generated.png`, BLUE);
      const good = model === 'alpha';
      folder.write(`${model}/${task}/${number}_gemini_judge.txt`, good ? answer([9, 4, 6, 7, 8]) : number === '007' ? NO_VERDICT : answer([3, 2, 5, 4, 1]));
      if (good) folder.write(`${model}/${task}/${number}_gpt_judge.txt`, answer([7, 5, 5, 6, 6]));
    }
  }
  return {
    protocol: 'multibanana',
    title: 'MultiBanana',
    folders: ['data', 'alpha', 'beta'],
    sample: '3_local/006',
    instruction: 'Put the things of 3_local together.',
    request: { id: 'judge', pictures: 4 },
    incidents: ['missing_output', 'unparsable'],
  };
}

/** How many checkpoints each dimension has, by task. */
const CHECKPOINTS: Record<string, Record<string, number>> = {
  object_composition: { A: 3, B: 3, C: 3, D: 4, G: 2 },
  story_infer: { A: 3, B: 3, C: 3, D: 3, E: 3, G: 3 },
};

function micon(folder: TempFolder): Suite {
  const verdict = (task: string, failed: string[]): string => {
    const ids = Object.entries(CHECKPOINTS[task] ?? {}).flatMap(([letter, count]) => Array.from({ length: count }, (_, at) => `${letter}_check_${at + 1}`));
    return JSON.stringify({
      checkpoint_results: Object.fromEntries(ids.map((id) => [id, { pass: failed.includes(id) ? 0 : 1 }])),
      rationale_short: 'Looked at each point.',
      flags: [],
    });
  };
  const cases: [string, string][] = [
    ['object_composition', 'case_0001'],
    ['object_composition', 'case_0002'],
    ['story_infer', 'case_0001'],
  ];
  for (const [task, name] of cases) {
    const refs = ['RA', 'RB'].map((ref) => `  ${ref}: data/${task}/refs/${name}_${ref}.png`).join('\n');
    folder.write(
      `Evaluation/data/${task}/cases/${name}.yaml`,
      `task_type: ${task}\ncase_id: ${name}\nrefs:\n${refs}\ngeneration_prompt: Put both things of ${name} on one table.\ngoal: One scene.\nconstraints_hard:\n  - both are there\n`,
    );
    for (const ref of ['RA', 'RB']) folder.write(`Evaluation/data/${task}/refs/${name}_${ref}.png`, ref === 'RA' ? RED : GREEN);
    for (const model of ['alpha', 'beta']) {
      if (model === 'beta' && name === 'case_0002') continue;
      folder.write(`Evaluation/outputs/generations/${model}/${task}/${name}.png`, BLUE);
      const judged = `Evaluation/outputs/eval_res/${model}/${model}_20260102_000000/judgments/${task}/${name}`;
      if (model === 'beta' && task === 'story_infer') {
        folder.write(`${judged}/${model}_error.txt`, NO_VERDICT);
        continue;
      }
      folder.write(`${judged}/${model}.json`, verdict(task, model === 'alpha' ? [] : ['A_check_1', 'D_check_2']));
      if (task === 'story_infer') {
        folder.write(
          `${judged}/${model}_candidate_eval_details.json`,
          JSON.stringify({ case_id: name, evaluation_result: { score: 7, reasoning: 'It follows.', matches_positive: true, matches_negative: false } }),
        );
      }
    }
  }
  const answers = {
    cases: [{ case_id: 'case_0001', background_summary: 'A ball rolls.', positive_candidates: ['It falls.'], negative_candidates: ['It flies.'] }],
  };
  folder.write('Evaluation/data/story_infer/simple_candidate_template.json', JSON.stringify(answers));
  return {
    protocol: 'micon',
    title: 'MICON-Bench',
    folders: ['Evaluation'],
    sample: 'object_composition/case_0001',
    instruction: 'Put both things of case_0001 on one table.',
    request: { id: 'checkpoints', pictures: 3 },
    incidents: ['missing_output', 'unparsable'],
  };
}

function vibe(folder: TempFolder): Suite {
  const sub = (score: number): object => ({ reason: 'As seen.', score });
  const metrics = (score: number): object => ({
    Instruction_Adherence: {
      Visual_Instruction_Localization_Correctness: sub(1),
      Visual_Operator_Type_Compliance: sub(score),
      Textual_Action_Semantic_Compliance: sub(1),
      score: Math.round(((2 + score) / 3) * 1e4) / 1e4,
    },
    Contextual_Preservation: { reason: 'As seen.', score: 1 },
    Visual_Coherence: { Style_Consistency: sub(1), Visual_Seamlessness: sub(1), 'Artifact-Free_Generation': sub(0), score: 0.6667 },
  });
  const ids = ['animation_1', 'real-world_1', 'sketch_1'];
  const items = ids.map((id) => {
    const style = id.slice(0, id.lastIndexOf('_'));
    folder.write(`VIBE-Benchmark-Dataset/Common_Corpus/${style}/${id}.png`, RED);
    folder.write(`VIBE-Benchmark-Dataset/Tasks/Level-1-Deictic/Addition/visual_instruction/${id}.png`, GREEN);
    return {
      id,
      file_paths: { source: `Common_Corpus/${style}/${id}.png`, visual_instruction: `visual_instruction/${id}.png` },
      text_prompt: { input_prompt: `Add a lamp in the box of ${id}.` },
    };
  });
  folder.write('VIBE-Benchmark-Dataset/Tasks/Level-1-Deictic/Addition/Addition.json', JSON.stringify(items));
  for (const model of ['alpha', 'beta']) {
    const done = ids.filter((id) => model === 'alpha' || id !== 'sketch_1');
    for (const id of done) folder.write(`results/${model}/Level-1-Deictic/Addition/imgs/${id}.png`, BLUE);
    const base = done.map((id) => ({ id, input_prompt: `Add a lamp in the box of ${id}.`, saved_image_path: `imgs/${id}.png`, status: 'success' }));
    folder.write(`results/${model}/Level-1-Deictic/Addition/Addition_results.json`, JSON.stringify(base));
    for (const run of [1, 2]) {
      const judged = base.map((item) =>
        model === 'beta' && item.id === 'animation_1'
          ? { ...item, Instruction_Adherence: { error: 'no JSON', raw: NO_VERDICT } }
          : { ...item, ...metrics(model === 'alpha' ? 1 : 0.5), score: 0.8 },
      );
      folder.write(`results/${model}/Level-1-Deictic/Addition/Addition_results_${run}.json`, JSON.stringify(judged));
    }
  }
  return {
    protocol: 'vibe',
    title: 'VIBE',
    folders: ['VIBE-Benchmark-Dataset', 'results'],
    sample: 'Addition/animation_1',
    instruction: 'Add a lamp in the box of animation_1.',
    request: { id: 'Instruction_Adherence', pictures: 3 },
    incidents: ['missing_output', 'failed_call'],
  };
}

function multiref(folder: TempFolder): Suite {
  const entries = (model?: string): object[] =>
    [0, 1, 2].map((at) => {
      folder.write(`MultiRef/images/original_${at}.png`, RED);
      folder.write(`MultiRef/images/depth_${at}.png`, GREEN);
      folder.write(`MultiRef/images/subject_${at}.png`, BLUE);
      const entry = {
        original_image_path: `images/original_${at}.png`,
        conditions: { depth_path: `images/depth_${at}.png`, subject_paths: [`images/subject_${at}.png`] },
        instructions: {
          conditions: ['depth', 'subject'],
          image_path_mapping: { depth_image: `images/depth_${at}.png`, subject_1: `images/subject_${at}.png` },
          original_prompts: `Generate image ${at} from <depth_image> and <subject_1>.`,
          enhance_prompts: [],
        },
      };
      if (model === undefined) return entry;
      if (model === 'beta' && at === 2) return { ...entry, results: {}, evaluations: { error: 'Generated image not found: None' } };
      folder.write(`${model}/images/out_${at}.png`, BLUE);
      const good = model === 'alpha';
      const evaluations = {
        original_image: `images/original_${at}.png`,
        generated_image: `images/out_${at}.png`,
        fid: 0.1,
        aesthetics: 5.5,
        depth: good ? 0.02 : 0.2,
        ...(good || at !== 1 ? { subject: good ? 0.9 : 0.6 } : { subject_error: 'out of memory' }),
      };
      return { ...entry, results: { image_path: `images/out_${at}.png`, model_name: model, other_info: {} }, evaluations };
    });
  folder.write('MultiRef/benchmark990v3.json', JSON.stringify(entries()));
  for (const model of ['alpha', 'beta']) folder.write(`${model}/results.json`, JSON.stringify(entries(model)));
  return {
    protocol: 'multiref',
    title: 'MultiRef-Bench',
    folders: ['MultiRef', 'alpha', 'beta'],
    sample: '',
    instruction: 'Generate image 0 from',
    request: { id: 'judge', pictures: 3 },
    incidents: ['missing_output'],
  };
}

/** Each protocol with the writer of its folder. */
/** A benchmark that no code knows: its `juror.json` says everything. */
function declared(folder: TempFolder): Suite {
  const ids = ['001', '002', '003', '004'];
  const protocol = {
    format: 'juror-protocol/1',
    id: 'two-cats',
    title: 'Two Cats',
    words: { sample: 'case', samples: 'cases' },
    samples: { file: 'samples.csv' },
    outputs: 'outputs/{model}/{id}',
    replies: 'judged/{model}_{judge}.jsonl',
    criteria: [
      { id: 'fit', label: 'Fit', range: [1, 10], integer: true, weight: 3 },
      { id: 'look', label: 'Look', range: [1, 10], integer: true },
    ],
    requests: [{ id: 'judge', prompt: ['{references}', 'Asked for: {instruction}', '{output}', 'Rate it.'], reply: { form: 'json', reason: 'why' } }],
    total: { rule: 'weighted_mean', caps: [{ if: { criterion: 'fit', below: 3 }, total_at_most: 4 }] },
    groupings: [{ scope: 'domain', tag: 'task', label: 'Task' }],
    overall: { over: 'domain' },
  };
  folder.write('bench/juror.json', JSON.stringify(protocol));
  folder.write(
    'bench/samples.csv',
    `id,instruction,references,tags.task\n${ids.map((id, at) => `${id},Paint cat ${id}.,refs/a.png;refs/b.png,${at < 2 ? 'pose' : 'style'}`).join('\n')}\n`,
  );
  folder.write('bench/refs/a.png', RED);
  folder.write('bench/refs/b.png', GREEN);
  for (const model of ['alpha', 'beta']) {
    const good = model === 'alpha';
    for (const id of ids) if (good || id !== '004') folder.write(`outputs/${model}/${id}.png`, BLUE);
    const reply = (id: string): string =>
      good ? '{"fit": 9, "look": 8, "why": "Fine."}' : id === '003' ? NO_VERDICT : '{"fit": 2, "look": 5, "why": "Not so fine."}';
    folder.write(`judged/${model}_gpt.jsonl`, ids.map((id) => JSON.stringify({ sample: id, reply: reply(id) })).join('\n'));
  }
  return {
    protocol: 'two-cats',
    title: 'Two Cats',
    folders: ['bench', 'outputs', 'judged'],
    sample: '002',
    instruction: 'Paint cat 002.',
    request: { id: 'judge', pictures: 3 },
    incidents: ['missing_output', 'unparsable'],
    oneProfile: true,
  };
}

export const SUITES: Record<string, (folder: TempFolder) => Suite> = { multibanana, micon, vibe, multiref, declared };
