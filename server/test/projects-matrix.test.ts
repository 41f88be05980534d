/** Who may do what with a project, its data and its runs: one table, everybody times every call. A call that is not in it fails here. */
import { calls, type Path } from '@neuroloom/contract/calls'
import { flowRunCalls } from '@neuroloom/contract/flow/run-calls'
import { flowSharpenCalls } from '@neuroloom/contract/flow/sharpen-calls'
import { LIVE_PATH } from '@neuroloom/contract/live'
import { asFound } from '@neuroloom/contract/reading/reading'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { makeCells, type Seen } from './every-cell.ts'
import { asked, png } from './flow-runs.ts'
import { trainAsked } from './flow-training.ts'
import { makeServer, type TestServer } from './harness.ts'
import { settings as labelSettings } from './labels.ts'
import { makeText } from './networks.ts'
import { addresses } from './projects-addresses.ts'
import { type Actor, actors, makeStage, type Place, type Stage } from './projects-stage.ts'

let server: TestServer
let stage: Stage
let everyCell: ReturnType<typeof makeCells<Actor, Place>>
const sockets = new Map<Actor, Socket>()
beforeAll(async () => {
  // Who may ask is decided before the engine is asked, and what it would say is another test's affair: it is not started.
  server = await makeServer({ enginePython: '/no/python' })
  stage = await makeStage(server)
  everyCell = makeCells({ stage, actors, outsiders })
  for (const actor of actors.filter((one) => one !== 'anonymous')) sockets.set(actor, await connect(actor))
})
afterAll(async () => {
  for (const socket of sockets.values()) socket.disconnect()
  await server.close()
})

type Outcome = string
type Rule = Record<Actor, Outcome>

const everybody = (outcome: Outcome): Rule => ({
  owner: outcome,
  editor: outcome,
  viewer: outcome,
  publicReader: outcome,
  exMember: outcome,
  stranger: outcome,
  anonymous: 'not_signed_in',
})
/** What is one's own, or touches nobody's. */
const members = everybody('ok')
/** What only its owner knows of. */
const hidden = (outcome: Outcome): Rule => ({ ...everybody(outcome), owner: 'ok' })
/** What some may see, of whom some may do this; to all others it is not there. */
const seen = (missing: Outcome, may: readonly Actor[], outcome = 'ok'): Rule => {
  const rule = everybody(missing)
  for (const actor of ['owner', 'editor', 'viewer', 'publicReader'] as const) {
    rule[actor] = may.includes(actor) ? outcome : 'not_allowed'
  }
  return rule
}
const all = ['owner', 'editor', 'viewer', 'publicReader'] as const
const viewers = (missing: Outcome, outcome = 'ok') => seen(missing, all, outcome)
const editors = (missing: Outcome, outcome = 'ok') => seen(missing, ['owner', 'editor'], outcome)
const owner = (missing: Outcome) => seen(missing, ['owner'])

type Row = { call: string; what?: string; body: (at: Place) => object; rule: Rule }

const noTool = { id: 'nothing' }
const noModel = noTool

const matrix: Row[] = [
  { call: 'projects/list', body: () => ({}), rule: members },
  { call: 'projects/list', what: 'public ones', body: () => ({ tab: 'public' }), rule: members },
  { call: 'projects/list', what: 'shared ones', body: () => ({ tab: 'shared' }), rule: members },
  { call: 'projects/list', what: 'found', body: ({ mark }) => ({ search: mark.slice(4) }), rule: members },
  { call: 'search/all', body: ({ mark }) => ({ text: mark.slice(4) }), rule: members },
  { call: 'projects/create', body: () => ({ name: unique(), task: 'segmentation' }), rule: members },
  { call: 'projects/detail', body: ofProject, rule: viewers('project_missing') },
  {
    call: 'projects/detail',
    what: 'of a removed one',
    body: ({ gone }) => ({ id: gone }),
    rule: everybody('project_missing'),
  },
  {
    call: 'projects/rename',
    body: ({ project }) => ({ id: project, name: unique() }),
    rule: editors('project_missing'),
  },
  {
    call: 'projects/copy',
    body: ({ project }) => ({ id: project, name: unique() }),
    rule: viewers('project_missing'),
  },
  {
    call: 'projects/setPublic',
    body: ({ project }) => ({ id: project, isPublic: true }),
    rule: owner('project_missing'),
  },
  {
    call: 'projects/setDisplays',
    body: ({ project }) => ({ id: project, displays: ['per_class_table'] }),
    rule: editors('project_missing'),
  },
  { call: 'projects/statements', body: ofProject, rule: viewers('project_missing') },
  {
    call: 'projects/setStatement',
    body: ({ project }) => ({ id: project, name: 'aims', text: 'To tell cells apart.' }),
    rule: editors('project_missing'),
  },
  {
    call: 'projects/share',
    body: ({ project, account }) => ({ id: project, account, permission: 'view' }),
    rule: owner('project_missing'),
  },
  { call: 'projects/shares', body: ofProject, rule: owner('project_missing') },
  {
    call: 'projects/changeShare',
    body: ({ shareId }) => ({ shareId, permission: 'edit' }),
    rule: hidden('missing'),
  },
  { call: 'projects/unshare', body: ({ shareId }) => ({ shareId }), rule: hidden('missing') },
  {
    call: 'projects/leaveShare',
    body: ({ shareId }) => ({ shareId }),
    rule: { ...everybody('missing'), editor: 'ok', viewer: 'ok' },
  },
  { call: 'projects/archive', body: ofProject, rule: viewers('project_missing') },
  { call: 'projects/remove', body: ofProject, rule: owner('project_missing') },
  { call: 'projects/recycled', body: () => ({}), rule: members },
  { call: 'projects/restore', body: ({ gone }) => ({ id: gone }), rule: hidden('project_missing') },
  { call: 'projects/purge', body: ({ gone }) => ({ ids: [gone] }), rule: hidden('project_missing') },
  {
    call: 'projects/purge',
    what: 'one that is not in the recycle station',
    body: ({ project }) => ({ ids: [project] }),
    rule: everybody('project_missing'),
  },

  {
    call: 'datasets/recognise',
    body: ({ project, ownFolder }) => ({ projectId: project, folderId: ownFolder }),
    rule: editors('project_missing'),
  },
  {
    call: 'datasets/recheck',
    body: ofData,
    rule: seen('dataset_missing', ['owner'], 'dataset_trained'),
  },
  {
    call: 'datasets/readAs',
    body: (things) => ({ ...ofData(things), reading: asFound }),
    rule: seen('dataset_missing', ['owner'], 'dataset_trained'),
  },
  {
    call: 'datasets/patients',
    body: (things) => ({ ...ofData(things), rule: { by: 'none' as const } }),
    rule: viewers('dataset_missing'),
  },
  { call: 'datasets/list', body: inProject, rule: viewers('project_missing') },
  { call: 'datasets/list', what: 'own ones', body: () => ({ projectId: null }), rule: members },
  { call: 'datasets/inProjects', body: () => ({}), rule: members },
  { call: 'datasets/detail', body: ofData, rule: viewers('dataset_missing') },
  {
    call: 'datasets/detail',
    what: 'of data beside the project',
    body: ({ aside }) => ({ id: aside }),
    rule: hidden('dataset_missing'),
  },
  { call: 'datasets/items', body: ofData, rule: viewers('dataset_missing') },
  { call: 'datasets/problems', body: ofData, rule: viewers('dataset_missing') },
  { call: 'datasets/doubles', body: ofData, rule: viewers('dataset_missing') },
  {
    call: 'datasets/doubles',
    what: 'with data beside the project',
    body: ({ data, aside }) => ({ id: data, other: aside }),
    rule: hidden('dataset_missing'),
  },
  {
    call: 'datasets/shared',
    body: ({ data, project }) => ({ id: data, projectId: project }),
    rule: viewers('project_missing'),
  },
  {
    call: 'datasets/leaveAside',
    body: ({ data }) => ({ id: data, aside: true }),
    rule: owner('dataset_missing'),
  },
  {
    call: 'datasets/windowPreview',
    body: (things) => ({ ...ofData(things), window: null }),
    rule: seen('dataset_missing', ['owner'], 'dataset_not_ready'),
  },
  {
    call: 'datasets/add',
    body: ({ ownData, project }) => ({ id: ownData, projectId: project }),
    rule: editors('project_missing'),
  },
  {
    call: 'datasets/add',
    what: 'of others to an own project',
    body: ({ data, ownProject }) => ({ id: data, projectId: ownProject }),
    rule: owner('dataset_missing'),
  },
  {
    call: 'datasets/setUse',
    body: ({ data, project }) => ({ id: data, projectId: project, use: 'test' }),
    rule: editors('project_missing'),
  },
  {
    call: 'datasets/setUse',
    what: 'of data beside the project',
    body: ({ aside, project }) => ({ id: aside, projectId: project, use: 'test' }),
    rule: editors('project_missing', 'dataset_missing'),
  },
  {
    call: 'datasets/rename',
    body: ({ data }) => ({ id: data, name: unique() }),
    rule: owner('dataset_missing'),
  },
  {
    call: 'datasets/remove',
    body: ({ data, project }) => ({ id: data, projectId: project }),
    rule: owner('project_missing'),
  },
  {
    call: 'datasets/remove',
    what: 'of an editor',
    body: ({ editorData, project }) => ({ id: editorData, projectId: project }),
    rule: editors('project_missing'),
  },
  {
    call: 'datasets/remove',
    what: 'permanently',
    body: ({ data }) => ({ id: data, projectId: null }),
    rule: owner('dataset_missing'),
  },

  { call: 'runs/device', body: () => ({}), rule: members },
  {
    call: 'runs/suggest',
    body: ({ project, data }) => ({ projectId: project, datasetId: data }),
    rule: viewers('project_missing'),
  },
  {
    call: 'runs/suggest',
    what: 'with data beside the project',
    body: ({ project, aside }) => ({ projectId: project, datasetId: aside }),
    rule: { ...viewers('project_missing', 'dataset_missing') },
  },
  {
    call: 'runs/start',
    body: ({ project, parts }) => start(project, parts),
    rule: editors('project_missing'),
  },
  {
    call: 'runs/start',
    what: 'with data beside the project',
    body: ({ project, asideParts }) => start(project, asideParts),
    rule: editors('project_missing', 'dataset_missing'),
  },
  {
    call: 'runs/start',
    what: 'with data of others in an own project',
    body: ({ ownProject, parts }) => start(ownProject, parts),
    rule: everybody('dataset_missing'),
  },
  {
    call: 'runs/test',
    body: ({ trained, data }) => ({ id: trained, datasets: [data] }),
    rule: editors('run_missing'),
  },
  {
    call: 'runs/test',
    what: 'on data beside the project',
    body: ({ trained, aside }) => ({ id: trained, datasets: [aside] }),
    rule: editors('run_missing', 'dataset_missing'),
  },
  {
    call: 'runs/predict',
    what: 'on an own folder without pictures',
    body: ({ trained, ownFolder }) => ({ id: trained, folderId: ownFolder }),
    rule: editors('run_missing', 'prediction_no_pictures'),
  },
  {
    call: 'runs/predict',
    what: 'on nothing',
    body: ({ trained }) => ({ id: trained }),
    rule: editors('run_missing', 'prediction_source_needed'),
  },
  { call: 'runs/setAside', body: ({ tested }) => ({ id: tested }), rule: viewers('run_missing') },
  { call: 'runs/list', body: inProject, rule: viewers('project_missing') },
  { call: 'runs/list', what: 'own ones', body: () => ({ projectId: null }), rule: members },
  { call: 'runs/detail', body: ({ trained }) => ({ id: trained }), rule: viewers('run_missing') },
  {
    call: 'runs/detail',
    what: 'of a removed project',
    body: ({ goneRun }) => ({ id: goneRun }),
    rule: everybody('run_missing'),
  },
  { call: 'runs/stop', body: ({ waiting }) => ({ id: waiting }), rule: editors('run_missing') },
  {
    call: 'runs/rerun',
    what: 'one that has not ended',
    body: ({ waiting }) => ({ id: waiting }),
    rule: editors('run_missing', 'run_not_ended'),
  },
  { call: 'runs/pause', body: ({ waiting }) => ({ id: waiting }), rule: editors('run_missing') },
  {
    call: 'runs/resume',
    what: 'one that is not paused',
    body: ({ waiting }) => ({ id: waiting }),
    rule: editors('run_missing', 'run_not_paused'),
  },
  { call: 'runs/remove', body: ({ trained }) => ({ id: trained }), rule: owner('run_missing') },
  { call: 'runs/recycled', body: () => ({}), rule: members },
  { call: 'runs/restore', body: ({ recycledRun }) => ({ id: recycledRun }), rule: hidden('run_missing') },
  { call: 'runs/purge', body: ({ recycledRun }) => ({ ids: [recycledRun] }), rule: hidden('run_missing') },
  {
    call: 'runs/purge',
    what: 'one that is not in the recycle station',
    body: ({ trained }) => ({ ids: [trained] }),
    rule: everybody('run_missing'),
  },
  {
    call: 'runs/preview',
    body: ({ tested }) => ({ id: tested, epoch: 1 }),
    rule: viewers('run_missing', 'missing'),
  },
  { call: 'runs/scores', body: ({ tested }) => ({ id: tested }), rule: viewers('run_missing') },
  { call: 'runs/items', body: ({ tested }) => ({ id: tested }), rule: viewers('run_missing') },
  { call: 'runs/evidence', body: ({ tested }) => ({ id: tested }), rule: viewers('run_missing') },
  { call: 'runs/groups', body: ({ tested }) => ({ id: tested }), rule: viewers('run_missing') },
  {
    call: 'runs/groupTable',
    body: ({ tested }) => ({ id: tested }),
    rule: viewers('run_missing', 'missing'),
  },
  {
    call: 'runs/compare',
    what: 'one alone',
    body: ({ tested }) => ({ ids: [tested] }),
    rule: viewers('run_missing', 'compare_count'),
  },
  {
    call: 'reports/show',
    body: ({ tested }) => ({ id: tested, language: 'en' }),
    rule: viewers('run_missing'),
  },
  {
    call: 'reports/show',
    what: 'of a training',
    body: ({ trained }) => ({ id: trained, language: 'en' }),
    rule: viewers('run_missing', 'report_not_ready'),
  },
  {
    call: 'reports/download',
    body: ({ tested }) => ({ id: tested, language: 'ru' }),
    rule: viewers('run_missing'),
  },
  {
    call: 'runs/download',
    body: ({ trained }) => ({ id: trained, kind: 'weights' }),
    rule: viewers('run_missing'),
  },
  { call: 'runs/recipe', body: ({ trained }) => ({ id: trained }), rule: viewers('run_missing') },
  { call: 'runs/program', body: ({ trained }) => ({ id: trained }), rule: viewers('run_missing') },
  // Whoever sees the run learns that it has no such image.
  {
    call: 'runs/look',
    body: ({ tested }) => ({ id: tested, itemId: 'none' }),
    rule: viewers('run_missing', 'missing'),
  },
  {
    call: 'runs/lookOver',
    body: ({ tested }) => ({ id: tested, itemId: 'none', over: 'prediction' }),
    rule: viewers('run_missing', 'missing'),
  },
  // It has weights, but no ONNX.
  { call: 'runs/example', body: ({ trained }) => ({ id: trained }), rule: viewers('run_missing', 'missing') },

  {
    call: 'labelling/list',
    body: ({ project }) => ({ projectId: project }),
    rule: viewers('project_missing'),
  },
  {
    call: 'labelling/create',
    body: ({ project, ownFolder }) => ({ projectId: project, folderId: ownFolder, ...labelSettings }),
    rule: editors('project_missing'),
  },

  {
    call: 'labelling/useAsData',
    what: 'of a set that is not there',
    body: ({ project }) => ({ id: 'none', projectId: project, from: 'mine' }),
    rule: everybody('label_set_missing'),
  },
  {
    call: 'labelling/chooseHelper',
    what: 'for a set that is not there',
    body: ({ trained }) => ({ id: 'none', runId: trained, classes: [null], order: 'random', every: null }),
    rule: everybody('label_set_missing'),
  },
  { call: 'toolbox/home', body: () => ({}), rule: members },
  {
    call: 'toolbox/setFavourite',
    body: () => ({ tool: 'viewer', isFavourite: true }),
    rule: members,
  },
  { call: 'toolbox/status', body: ({ trained, waiting }) => ({ ids: [trained, waiting] }), rule: members },
  { call: 'toolbox/history', body: () => ({}), rule: members },
  {
    call: 'toolbox/record',
    body: ({ waiting }) => ({ tool: 'viewer', title: 'Kappa', jobId: waiting }),
    rule: viewers('missing'),
  },
  { call: 'toolbox/forget', body: () => ({ id: null }), rule: members },
  {
    call: 'toolbox/split',
    body: ({ data }) => ({ datasetId: data, train: 70, validation: 10, test: 20, seed: 1 }),
    rule: viewers('dataset_missing'),
  },
  { call: 'toolbox/ownTools', body: () => ({}), rule: members },
  {
    call: 'toolbox/makeTool',
    what: 'of a training',
    body: ({ trained }) => ({ of: 'network', sourceId: trained, name: unique(), picture: 'images' }),
    rule: owner('run_missing'),
  },
  // Who may do what with a tool is told beside the tools (`own/rights.test.ts`): here there is none.
  { call: 'toolbox/ownTool', body: () => noTool, rule: everybody('own_tool_missing') },
  {
    call: 'toolbox/changeTool',
    body: () => ({ ...noTool, name: unique(), picture: 'pen' }),
    rule: everybody('own_tool_missing'),
  },
  { call: 'toolbox/removeTool', body: () => noTool, rule: everybody('own_tool_missing') },
  {
    call: 'toolbox/shareTool',
    body: ({ account }) => ({ ...noTool, account }),
    rule: everybody('own_tool_missing'),
  },
  {
    call: 'toolbox/unshareTool',
    body: ({ shareId }) => ({ ...noTool, shareId }),
    rule: everybody('own_tool_missing'),
  },
  {
    call: 'toolbox/tryTool',
    body: ({ ownFolder }) => ({ ...noTool, folderId: ownFolder }),
    rule: everybody('own_tool_missing'),
  },
  {
    call: 'toolbox/prepareByTool',
    body: ({ ownFolder }) => ({ ...noTool, folderId: ownFolder, name: 'new' }),
    rule: everybody('own_tool_missing'),
  },
  {
    call: 'toolbox/predictByTool',
    body: ({ project, ownFolder }) => ({ ...noTool, projectId: project, folderId: ownFolder }),
    rule: everybody('own_tool_missing'),
  },
  // With a model that one has, whose project it is asked for in is tried where models are sold.
  {
    call: 'shop/predict',
    body: ({ project, ownFolder }) => ({ ...noModel, projectId: project, folderId: ownFolder }),
    rule: everybody('listing_missing'),
  },
  {
    call: 'shop/drive',
    body: ({ project, data }) => ({ ...noModel, projectId: project, datasetId: data }),
    rule: everybody('listing_missing'),
  },
  // Whoever may see them gets as far as the engine, which this server does not have.
  {
    call: 'toolbox/vary',
    body: ({ data }) => ({ datasetId: data, seed: 1 }),
    rule: viewers('dataset_missing', 'work_too_large'),
  },
  {
    call: 'toolbox/inspect',
    body: ({ trained }) => ({ source: { from: 'run', id: trained } }),
    rule: viewers('run_missing', 'work_too_large'),
  },
  {
    call: 'toolbox/predict',
    what: 'on an own folder without pictures',
    body: ({ trained, ownFolder }) => ({ id: trained, folderId: ownFolder }),
    rule: editors('run_missing', 'prediction_no_pictures'),
  },

  {
    call: 'flow/projectStudies',
    body: ({ flow }) => ({ projectId: flow }),
    rule: viewers('project_missing'),
  },
  {
    call: 'flow/addToProject',
    body: ({ flow, ownStudy }) => ({ projectId: flow, studyId: ownStudy }),
    rule: editors('project_missing'),
  },
  {
    call: 'flow/addToProject',
    what: 'a study of the owner',
    body: ({ flow, study }) => ({ projectId: flow, studyId: study }),
    rule: { ...editors('project_missing', 'study_missing'), owner: 'ok' },
  },
  {
    call: 'flow/addToProject',
    what: 'where networks learn',
    body: ({ project, ownStudy }) => ({ projectId: project, studyId: ownStudy }),
    rule: editors('project_missing', 'task_differs'),
  },
  {
    call: 'flow/takeFromProject',
    body: ({ flow, study }) => ({ projectId: flow, studyId: study }),
    rule: owner('project_missing'),
  },
  {
    call: 'flow/takeFromProject',
    what: 'of an editor',
    body: ({ flow, editorStudy }) => ({ projectId: flow, studyId: editorStudy }),
    rule: editors('project_missing'),
  },
  // Whoever may start one is told that no kind was chosen.
  {
    call: 'flow/start',
    body: ({ flow, study }) => ({ projectId: flow, studyId: study, asked: { ...asked, kinds: [] } }),
    rule: editors('project_missing', 'flow_options_refused'),
  },
  {
    call: 'flow/start',
    what: 'of a study beside the project',
    body: ({ flow, ownStudy }) => ({ projectId: flow, studyId: ownStudy, asked }),
    rule: editors('project_missing', 'study_missing'),
  },
  { call: 'flow/run', body: ({ flowRun }) => ({ id: flowRun }), rule: viewers('run_missing') },
  {
    call: 'flow/run',
    what: 'of a training',
    body: ({ trained }) => ({ id: trained }),
    rule: everybody('run_missing'),
  },
  {
    call: 'flow/keepSections',
    body: ({ flowRun }) => ({ runId: flowRun, sections: [] }),
    rule: editors('run_missing'),
  },
  {
    call: 'flow/keepFigure',
    body: ({ flowRun }) => ({ runId: flowRun, caption: 'Arch', png: png() }),
    rule: editors('run_missing'),
  },
  {
    call: 'flow/removeFigure',
    body: ({ flowRun, figure }) => ({ runId: flowRun, figureId: figure }),
    rule: editors('run_missing'),
  },
  {
    call: 'flow/keepFile',
    body: ({ flowRun }) => ({ runId: flowRun, kind: 'flow_mask' }),
    rule: viewers('run_missing'),
  },
  {
    call: 'flow/forecast',
    body: ({ flow }) => ({ projectId: flow, asked: { ...trainAsked, network: 'unknown' } }),
    rule: editors('project_missing', 'network_unfit'),
  },
  {
    call: 'flow/train',
    body: ({ flow }) => ({ projectId: flow, asked: { ...trainAsked, network: 'unknown' } }),
    rule: editors('project_missing', 'network_unfit'),
  },
  {
    call: 'flow/train',
    what: 'where nothing flows',
    body: ({ project }) => ({ projectId: project, asked: trainAsked }),
    rule: editors('project_missing', 'task_differs'),
  },
  { call: 'flow/training', body: ({ flowTraining }) => ({ id: flowTraining }), rule: viewers('run_missing') },
  {
    call: 'flow/training',
    what: 'of a run that is none',
    body: ({ flowRun }) => ({ id: flowRun }),
    rule: viewers('run_missing', 'run_missing'),
  },
  { call: 'flow/sharpeners', body: ({ flow }) => ({ projectId: flow }), rule: viewers('project_missing') },
  {
    call: 'flow/sharpen',
    body: ({ flowRun: runId, flowTraining: trainingId }) => ({ runId, trainingId }),
    rule: editors('run_missing', 'flow_network_unproven'),
  },
  {
    call: 'runs/download',
    what: 'of what learned flow',
    body: ({ flowTraining }) => ({ id: flowTraining, kind: 'weights' }),
    rule: viewers('run_missing'),
  },
  {
    call: 'runs/detail',
    what: 'of what learned flow',
    body: ({ flowTraining }) => ({ id: flowTraining }),
    rule: viewers('run_missing'),
  },
  {
    call: 'runs/rerun',
    what: 'of what learned flow',
    body: ({ flowTraining }) => ({ id: flowTraining }),
    rule: editors('run_missing'),
  },
  {
    call: 'runs/test',
    what: 'of what learned flow',
    body: ({ flowTraining, data }) => ({ id: flowTraining, datasets: [data] }),
    rule: editors('run_missing', 'task_differs'),
  },
  {
    call: 'runs/predict',
    what: 'of what learned flow',
    body: ({ flowTraining, ownFolder }) => ({ id: flowTraining, folderId: ownFolder }),
    rule: editors('run_missing', 'task_differs'),
  },
  {
    call: 'runs/program',
    what: 'of what learned flow',
    body: ({ flowTraining }) => ({ id: flowTraining }),
    rule: viewers('run_missing', 'missing'),
  },
  {
    call: 'flow/run',
    what: 'of what learned flow',
    body: ({ flowTraining }) => ({ id: flowTraining }),
    rule: viewers('run_missing', 'run_missing'),
  },
  {
    call: 'runs/rerun',
    what: 'of flow',
    body: ({ flowRun }) => ({ id: flowRun }),
    rule: editors('run_missing'),
  },
  // What needs a network is not done with flow.
  {
    call: 'runs/test',
    what: 'of flow',
    body: ({ flowRun, data }) => ({ id: flowRun, datasets: [data] }),
    rule: editors('run_missing', 'task_differs'),
  },
  {
    call: 'runs/predict',
    what: 'of flow',
    body: ({ flowRun, ownFolder }) => ({ id: flowRun, folderId: ownFolder }),
    rule: editors('run_missing', 'task_differs'),
  },
  {
    call: 'runs/compare',
    what: 'of flow',
    body: ({ flowRun, tested }) => ({ ids: [flowRun, tested] }),
    rule: viewers('run_missing', 'task_differs'),
  },
  {
    call: 'runs/suggest',
    what: 'of flow',
    body: ({ flow, data }) => ({ projectId: flow, datasetId: data }),
    rule: viewers('project_missing', 'task_differs'),
  },
  {
    call: 'runs/start',
    what: 'of flow',
    body: ({ flow, parts }) => start(flow, parts),
    rule: editors('project_missing', 'task_differs'),
  },
  {
    call: 'datasets/recognise',
    what: 'of flow',
    body: ({ flow, ownFolder }) => ({ projectId: flow, folderId: ownFolder }),
    rule: editors('project_missing', 'task_differs'),
  },
  {
    call: 'datasets/add',
    what: 'of flow',
    body: ({ flow, ownData }) => ({ id: ownData, projectId: flow, use: 'train' }),
    rule: editors('project_missing', 'task_differs'),
  },

  // Whoever may see the run is told that this network is another one.
  {
    call: 'networks/look',
    body: ({ trained }) => look({ from: 'sample' }, trained),
    rule: viewers('run_missing', 'look_failed'),
  },
  // Whoever may see the data is told that there is no such image in them.
  {
    call: 'networks/look',
    what: 'at data',
    body: ({ data }) => look({ from: 'dataset', datasetId: data, itemId: 'none' }, null),
    rule: viewers('dataset_missing', 'missing'),
  },
]

/** Whatever they are answered, it names nothing of the project and changes nothing. */
const outsiders: readonly Actor[] = ['exMember', 'stranger', 'anonymous']

describe('the matrix of projects', () => {
  it('has a row for every call about projects, their data and runs', () => {
    const about = Object.keys(calls).filter(isAbout)
    const known = new Set(matrix.map(({ call }) => call))
    expect([...known].sort()).toEqual(about.sort())
  })

  const named = matrix.map((row) => ({ ...row, name: row.what ? `${row.call}, ${row.what}` : row.call }))

  it.each(named)('$name', async ({ call, body, rule }) => {
    const run = async (actor: Actor, at: Place): Promise<Seen> => {
      // The table's bodies are checked by the server as all bodies are.
      const reply = await server.call(call as Path, body(at) as never, stage.sessionOf(actor))
      const data: { error?: string } = reply.data
      return { outcome: data.error ?? String(reply.code), text: JSON.stringify(reply.data) }
    }
    expect(await everyCell(run)).toEqual(rule)
  })

  it.each(addresses)('$name', async ({ request }) => {
    const run = async (actor: Actor, at: Place): Promise<Seen> => {
      const response = await request(stage, actor, at)
      const text = await response.text()
      const refusal = /"error":"(\w+)"/.exec(text)?.[1]
      // Which of them is missing is another table's affair.
      const outcome = refusal?.replace(/^(project|dataset|run)_missing$/, 'missing')
      return { outcome: outcome ?? (response.ok ? '10200' : String(response.status)), text }
    }
    // An address is of a session; without one it is none.
    expect(await everyCell(run)).toEqual({ ...viewers('missing'), anonymous: 'link_expired' })
  })

  describe('of a run in the recycle station', () => {
    // All that asks for a run, and its owner asks: as if there had never been one.
    const station = ['runs/restore', 'runs/purge']
    const ofRuns = named.filter(
      ({ call, rule }) => rule.stranger === 'run_missing' && !station.includes(call),
    )
    let place: Promise<Place> | undefined
    const removedPlace = async (): Promise<Place> => {
      place ??= stage.build('owner')
      const { recycledRun: id, recycledTest: tested, ...at } = await place
      const all = { trained: id, waiting: id, flowRun: id, flowTraining: id, tested }
      return { ...at, ...all, recycledRun: id, recycledTest: tested }
    }

    it.each(ofRuns)('$name', async ({ call, body }) => {
      const asked = body(await removedPlace()) as never
      const reply = await server.call(call as Path, asked, stage.sessionOf('owner'))
      const data: { error?: string } = reply.data
      expect(data.error).toBe('run_missing')
    })

    it.each(addresses.filter(({ isOfRun }) => isOfRun))('$name', async ({ request }) => {
      const response = await request(stage, 'owner', await removedPlace())
      expect(await response.text()).toMatch(/"error":"(run_)?missing"/)
    })

    it('no news', async () => {
      const { recycledRun: id } = await removedPlace()
      const told = await sockets.get('owner')?.emitWithAck('watch', { kind: 'run', id, after: 0 })
      expect(told).toEqual({ ok: false, error: 'run_missing' })
    })
  })

  it.each([
    { kind: 'project', idOf: ({ project }: Place) => project },
    { kind: 'dataset', idOf: ({ data }: Place) => data },
    { kind: 'run', idOf: ({ waiting }: Place) => waiting },
  ])('news of the $kind', async ({ kind, idOf }) => {
    const run = async (actor: Actor, at: Place): Promise<Seen> => {
      const socket = sockets.get(actor)
      if (!socket) return { outcome: 'not_signed_in', text: '' }
      const { ok, error } = await socket.emitWithAck('watch', { kind, id: idOf(at), after: 0 })
      return { outcome: ok ? '10200' : error, text: '' }
    }
    expect(await everyCell(run)).toEqual(viewers(`${kind}_missing`))
  })
})

/** By its name, or because it takes the id of such a thing, however deep. */
function isAbout(path: string): boolean {
  if (
    /^(projects|datasets|runs|reports|search|toolbox)\//.test(path) ||
    path in { ...flowRunCalls, ...flowSharpenCalls }
  )
    return true
  const schema = z.toJSONSchema(calls[path as Path].request, { io: 'input', unrepresentable: 'any' })
  return /"(project|dataset|run)Ids?"/.test(JSON.stringify(schema))
}

async function connect(actor: Actor): Promise<Socket> {
  const { data } = await server.call('user/ticket', {}, stage.sessionOf(actor))
  const auth = { ticket: data.ticket }
  const socket = io(server.url, { path: LIVE_PATH, transports: ['websocket'], forceNew: true, auth })
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve)
  })
  return socket
}

let count = 0
function unique(): string {
  count += 1
  return `new ${count}`
}
function ofProject({ project }: Place): object {
  return { id: project }
}
function inProject({ project }: Place): object {
  return { projectId: project }
}
function ofData({ data }: Place): object {
  return { id: data }
}
const start = (projectId: string, parts: string[]) => ({
  ...{ projectId, parts, network: 'small_resnet' },
  // Few images are another test's affair.
  force: true,
})
const look = (image: object, runId: string | null) => ({
  text: makeText(),
  nodes: ['stem'],
  image,
  runId,
})
