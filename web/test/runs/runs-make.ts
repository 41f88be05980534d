/** Records of projects, data sets and runs for tests; only what a test is about needs to be named. */
import type { Answer } from '@neuroloom/contract/calls'
import type { Dataset } from '@neuroloom/contract/datasets'
import type { OwnNetwork } from '@neuroloom/contract/networks'
import type { Project } from '@neuroloom/contract/projects'
import { asFound } from '@neuroloom/contract/reading/reading'
import type { LearnedRun, Run, Suggestion } from '@neuroloom/contract/runs'
import type { Hyper, Validation } from '@neuroloom/contract/suggest/hyper'

const at = '2026-11-21T08:00:00.000Z'

/** What plain images have nothing to say of. */
export const imageFacts = {
  depth: null,
  spacing: null,
  factor: null,
  boxSide: null,
  given: null,
  patients: null,
}
export const imageItem = { labels: null, boxes: null, part: null, depth: null }

export const hyper: Hyper = {
  learningRate: 0.002,
  scheduler: 'onecycle',
  decayInterval: 10,
  decayRatio: 0.5,
  epochs: 12,
  validationInterval: 1,
  batchSize: 32,
  optimizer: 'adamw',
  numClass: 2,
  criterion: 'cross_entropy',
  weightDecay: 0.01,
  imageSize: [64, 64],
  depth: 1,
  augment: true,
  classWeights: false,
  patience: 0,
  seed: 7,
}
export const holdout: Validation = { method: 'holdout', train: 4, test: 1, seed: 7 }

export function makeProject(changes: Partial<Project> = {}): Project {
  return {
    id: 'project-1',
    name: 'Chest images',
    description: '',
    task: 'classification',
    visibility: 'private',
    createdAt: at,
    modifiedAt: at,
    access: 'own',
    owner: '',
    shareId: null,
    displays: ['per_class_table', 'confusion_matrix', 'labelled_pictures'],
    counts: { files: 0, trainSets: 0, testSets: 0, runs: 0, models: 0, displays: 3, reports: 0 },
    lastRun: null,
    ...changes,
  }
}

/** The only page of the own projects. */
export const makeProjectPage = (projects: Project[], limit: number | null = 3): Answer<'projects/list'> => ({
  projects,
  next: null,
  own: projects.filter(({ access }) => access === 'own').length,
  limit,
  covers: {},
})

export function makeDataset(changes: Partial<Dataset> = {}): Dataset {
  const span = { min: 64, median: 64, max: 64 }
  return {
    id: 'data-1',
    use: 'train',
    owner: '',
    name: 'Chest',
    folderId: 'folder-1',
    task: 'classification',
    layout: 'class_folders',
    state: 'ready',
    progress: { done: 200, total: 200 },
    failure: null,
    parts: [
      { id: 'image-1', part: 'image', items: 200 },
      { id: 'label-1', part: 'label', items: 200 },
    ],
    classes: ['healthy', 'ill'],
    facts: { ...imageFacts, items: 200, width: span, height: span, channels: 1, classCounts: [100, 100] },
    problemCount: 0,
    reading: asFound,
    createdAt: at,
    ...changes,
  }
}

export function makeSuggestion(changes: Partial<Suggestion> = {}): Suggestion {
  return {
    network: 'small_resnet',
    hyper,
    validation: holdout,
    reasons: [{ field: 'epochs', reason: 'epochs_enough', params: { epochs: 12, steps: 500 } }],
    crossValidation: null,
    blockers: [],
    cautions: [],
    parameters: 272_000,
    memoryBytes: 400_000_000,
    deviceMemoryBytes: 16_000_000_000,
    largestBatch: 512,
    mayTune: true,
    forecastSeconds: 360,
    forecastIsSure: true,
    ...changes,
  }
}

export function makeRun(changes: Partial<LearnedRun> = {}): LearnedRun {
  return {
    id: 'run-1',
    projectId: 'project-1',
    kind: 'train',
    parentId: null,
    number: 3,
    task: 'classification',
    state: 'running',
    network: 'small_resnet',
    ownNetwork: null,
    tool: null,
    datasetId: 'data-1',
    datasetName: 'Chest',
    classes: ['healthy', 'ill'],
    hyper,
    validation: holdout,
    position: null,
    startsInSeconds: null,
    takes: null,
    foreseenSeconds: null,
    busySeconds: 0,
    startFrom: null,
    stopping: false,
    pausing: false,
    resumed: 0,
    phase: 'training',
    progress: null,
    score: null,
    metrics: {},
    perClass: [],
    confusion: null,
    counts: null,
    parameters: 272_000,
    error: null,
    artifacts: [],
    lastEventId: 4,
    createdAt: at,
    startedAt: at,
    endedAt: null,
    ...changes,
  }
}

/** A training that ended well, or with `kind: 'test'` the test of one. */
export function makeDone(changes: Partial<LearnedRun> = {}): LearnedRun {
  return makeRun({
    state: 'done',
    phase: null,
    score: 0.9,
    metrics: { accuracy: 0.9, macroF1: 0.89, loss: 0.2 },
    perClass: [
      { class: 'healthy', values: { recall: 0.95, support: 20 } },
      { class: 'ill', values: { recall: 0.85, support: 20 } },
    ],
    confusion: [
      [19, 1],
      [3, 17],
    ],
    counts: { test: 40 },
    artifacts: [{ kind: 'weights', sizeBytes: 1000, sha256: 'a' }],
    endedAt: at,
    ...changes,
  })
}

export function makeDetail(run: Run, changes: Partial<Answer<'runs/detail'>> = {}): Answer<'runs/detail'> {
  return { run, curves: [], preview: null, previewEpochs: [], ...changes }
}

type Item = Answer<'runs/items'>['items'][number]

export function makeItem(changes: Partial<Item> = {}): Item {
  return {
    id: 'item-1',
    name: 'a.png',
    truth: 1,
    labels: null,
    boxes: null,
    probabilities: [0.8, 0.2],
    score: 0.2,
    values: {},
    overlay: null,
    heat: null,
    named: null,
    image: '/picture.webp',
    ...changes,
  }
}

export const networks: Answer<'networks/list'> = {
  networks: ['small_resnet', 'resnet18', 'mobilenetv2'].map((id) => ({
    id,
    task: 'classification',
    parameters: 272_000,
    macs: 1e8,
    source: 'built-in',
  })),
  own: [],
}

export const makeOwnNetwork = (changes: Partial<OwnNetwork> = {}): OwnNetwork => ({
  ...{ id: 'own-1', name: 'My net', task: 'classification', revision: 3, version: 1 },
  ...{ parameters: 5000, macs: 1e6, mistakes: 0, createdAt: at, updatedAt: at },
  ...changes,
})
