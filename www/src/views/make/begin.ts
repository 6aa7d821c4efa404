/** How a project begins: the form of a new one, and the folder of an earlier one. */
import { html, nothing, type TemplateResult } from 'lit';
import type { MakeKind } from '../../engine/types/MakeKind';
import type { Annotator } from './annotation';
import type { AnswersCheck } from './answers';
import type { BilliardsMaker } from './billiards';
import { checkField, ownFiles, wholeOf, type Put } from './fields';
import { form, type Form } from './form';
import { originalsFields, type Matrix } from './originals';
import { sourceChoice, type SourceActions, type Use } from './sources';

export interface Begin extends SourceActions {
  kinds: readonly MakeKind[];
  matrix: Matrix;
  billiards: BilliardsMaker;
  answers: AnswersCheck;
  annotator: Annotator;
  put: Put;
  begin: Use;
  carryOn: Use;
}

export function renderBegin(view: Begin): TemplateResult {
  const { kinds, billiards, answers, annotator, put, begin } = view;
  const isBilliards = form.begins === 'billiards';
  const isAnnotation = form.begins === 'annotation';
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isBilliards) void billiards.draw();
    else if (form.begins === 'counts') begin([]);
  };
  return html`<div class="columns">
    <form class="panel form" autocomplete="off" @submit=${submit}>
      <div class="row"><span id="kind">What is made</span><span class="subset" role="group" aria-labelledby="kind">${kinds.map(({ begins, title }) => kindField(begins, title, put))}${billiards.about === null ? nothing : kindField('billiards', billiards.about.title, put)}${annotator.about === null ? nothing : kindField('annotation', annotator.about.title, put)}</span></div>
      ${isBilliards ? billiards.renderFields() : isAnnotation ? annotator.renderFields() : projectFields(view)}
    </form>
    ${isBilliards ? answers.renderChoice(view) : goOn(view)}
  </div>
  ${isAnnotation ? annotator.renderItems() : billiards.renderRun()} ${isBilliards ? answers.renderRows() : nothing}`;
}

/** Where an earlier project is carried on. */
const goOn = (view: Begin): TemplateResult =>
  html`<section class="panel part" aria-labelledby="go-on">
      <h2 id="go-on">Go on with a project</h2>
      <p>Open a folder that <code>juror make</code> wrote, or that was saved here: one with a file <code>juror-make.json</code>.</p>
      <div class="toolbar">${sourceChoice('Open the project’s folder…', 'Its ZIP, or juror-make.json…', 'make-open', view.carryOn, view)}</div>
    </section>`;

const kindField = (begins: Form['begins'], title: string, put: Put): TemplateResult =>
  html`<label><input type="radio" name="kind" data-testid="make-kind-${begins}" .checked=${form.begins === begins} @change=${() => put({ begins })} /> ${title}</label>`;

/** The fields of a project, and what begins it. */
function projectFields(view: Begin): TemplateResult {
  const { matrix, put, begin } = view;
  return html`${form.begins === 'originals' ? originalsFields(put, matrix) : form.begins === 'counts' ? countsFields(put) : postsFields()}
    ${
      form.begins === 'posts'
        ? nothing
        : html`<label class="row"
            ><span>Seed</span>
            <input class="field narrow" type="number" min="0" max="4294967295" data-testid="make-seed" .value=${String(form.seed)} @input=${(event: Event) => put({ seed: wholeOf(event) })} />
            <small>Decides every random choice: the same seed and files give the same benchmark.</small></label
          >`
    }
    <div class="toolbar">
      ${form.begins === 'counts' ? html`<button type="submit" class="button primary" data-testid="make-begin">Draw the cases</button>` : sourceChoice(form.begins === 'originals' ? 'Choose the folder of originals…' : 'Choose the folder of requests…', 'Its ZIP…', 'make-source', begin, view)}
    </div>`;
}

function countsFields(put: Put): TemplateResult {
  return html`<label class="row"
      ><span>Cases</span>
      <textarea class="field" rows="4" spellcheck="false" data-testid="make-counts" .value=${form.counts} @input=${(event: Event) => put({ counts: (event.target as HTMLTextAreaElement).value })}></textarea>
      <small>TASK:REFERENCES=CASES, one on each line; tasks are object, spatial, attribute, component, fg_bg and story. Without any, as many as the paper has: 1043.</small></label
    >
    <div class="row">
      <span id="cases">Each case</span>
      <span class="subset" role="group" aria-labelledby="cases">
        ${checkField(put, 'labels', 'make-labels', 'calls its references Ref A, Ref B')} ${checkField(put, 'asksModel', 'make-asks', 'has its references checked by a model')}
        ${checkField(put, 'review', 'make-review', 'is in once somebody accepted its references')} ${checkField(put, 'judgeCheckpoints', 'make-judge', 'has its checkpoints written by a judge')}
      </span>
    </div>
    ${ownFiles('Lists of your own', 'make-lists', form.lists, 'Files such as subject.txt or scene.txt, one word or phrase on each line; ours where there is none', true, (lists) => put({ lists }))}`;
}

const postsFields = (): TemplateResult =>
  html`<p class="small muted">
    The folder has one JSON file, a list of <code>{"id", "text", "inputs": ["1.png", "2.png"], "outputs": ["o.png"]}</code>: what somebody asked for, two to six
    pictures, and what came of it. People say which are kept; a model words the instructions anew and names their category.
  </p>`;
