/** Networks: which come with the product, and the members' own, drawn in DRIPE: saving, versions, pictures, looking in. */
import * as z from 'zod'
import { networkFileLimits } from './limits.ts'
import { networkLimits } from './network/document/document.ts'
import { layoutSchema } from './network/layout/file.ts'
import { route } from './route.ts'
import { taskSchema } from './task-schema.ts'

const id = z.string().min(1).max(40)

export const networkSchema = z.object({
  id: z.string(),
  task: taskSchema,
  /** At the network's own design size, two classes of output more or less aside. */
  parameters: z.int(),
  macs: z.number(),
  source: z.string(),
})

const name = z.string().trim().min(1).max(networkFileLimits.nameLength)
/** YAML of a document. It may have mistakes of meaning (work in progress), but it must be readable as a document. */
const text = z.string().max(networkLimits.yamlBytes)

export const ownNetworkSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Of the document; networks of tasks that cannot be trained yet may be drawn too. */
  task: z.string(),
  /** Grows with each save. */
  revision: z.int(),
  /** Number of the newest kept version, 0 before the first. */
  version: z.int(),
  /** At its own design size; null while mistakes stand in the way. */
  parameters: z.int().nullable(),
  macs: z.number().nullable(),
  mistakes: z.int(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
})
export type OwnNetwork = z.infer<typeof ownNetworkSchema>

export const networkFileSchema = ownNetworkSchema.extend({
  text: z.string(),
  layout: layoutSchema,
  /** Whether this member's level lets the structure picture be downloaded (silver and up). */
  mayDownloadPicture: z.boolean(),
})
export type NetworkFile = z.infer<typeof networkFileSchema>

export const versionSchema = z.object({
  number: z.int(),
  /** In the member's words; '' for one kept by a training run. */
  note: z.string(),
  parameters: z.int().nullable(),
  /** Training runs that used exactly this version. */
  runs: z.int(),
  createdAt: z.iso.datetime(),
})
export type NetworkVersion = z.infer<typeof versionSchema>

/** Feature maps of one node: `data` is base64 of `channels × height × width` bytes, each map scaled to 0…255 by itself. */
export const seenSchema = z.object({
  node: z.string(),
  channels: z.int(),
  /** Of the node in all; `channels` says how many are shown. */
  allChannels: z.int(),
  width: z.int(),
  height: z.int(),
  min: z.number(),
  max: z.number(),
  data: z.string(),
})
export type Seen = z.infer<typeof seenSchema>

export const networkCalls = {
  'networks/list': route({
    summary: 'Networks for a task',
    request: z.object({ task: taskSchema }),
    response: z.object({
      networks: z.array(networkSchema),
      /** The member's own without a mistake, newest first. */
      own: z.array(ownNetworkSchema),
    }),
    errors: [],
  }),
  'networks/detail': route({
    summary: 'The document of one network that comes with the product',
    request: z.object({ id: z.string().max(60) }),
    response: networkSchema.extend({ yaml: z.string() }),
    errors: ['missing'],
  }),
  'networks/mine': route({
    summary: "The member's own networks, newest first",
    request: z.object({}),
    response: z.object({ networks: z.array(ownNetworkSchema), most: z.int() }),
    errors: [],
  }),
  'networks/create': route({
    summary: 'A new network of the member’s own',
    request: z.object({ name, text, layout: layoutSchema.optional() }),
    response: networkFileSchema,
    errors: ['network_unreadable', 'network_limit'],
  }),
  'networks/open': route({
    summary: 'One network with its text and places',
    request: z.object({ id }),
    response: networkFileSchema,
    errors: ['network_missing'],
  }),
  'networks/save': route({
    summary: 'Saves over the revision that was opened; refused when there is a newer one',
    request: z.object({ id, revision: z.int().min(1), text, layout: layoutSchema }),
    response: ownNetworkSchema,
    errors: ['network_missing', 'network_changed', 'network_unreadable'],
  }),
  'networks/rename': route({
    summary: 'Another name',
    request: z.object({ id, name }),
    response: ownNetworkSchema,
    errors: ['network_missing'],
  }),
  'networks/copy': route({
    summary: 'A copy under a name of its own',
    request: z.object({ id, name }),
    response: ownNetworkSchema,
    errors: ['network_missing', 'network_limit'],
  }),
  'networks/remove': route({
    summary: 'Deletes a network and its versions; trained networks keep what they were built from',
    request: z.object({ id }),
    response: z.object({}),
    errors: ['network_missing'],
  }),
  'networks/versions': route({
    summary: 'Kept versions, newest first',
    request: z.object({ id }),
    response: z.object({ versions: z.array(versionSchema) }),
    errors: ['network_missing'],
  }),
  'networks/keep': route({
    summary: 'Keeps the saved state as a version; the same state twice is kept once',
    request: z.object({ id, note: z.string().trim().max(networkFileLimits.noteLength) }),
    response: versionSchema,
    errors: ['network_missing', 'network_limit'],
  }),
  'networks/version': route({
    summary: 'Text and places of one version',
    request: z.object({ id, number: z.int().min(1) }),
    response: versionSchema.extend({ text: z.string(), layout: layoutSchema }),
    errors: ['network_missing', 'missing'],
  }),
  'networks/picture': route({
    summary: 'The structure picture as SVG, for silver members and up; the page makes PNG of it',
    request: z.object({ id }),
    response: z.object({ svg: z.string(), width: z.int(), height: z.int() }),
    errors: ['network_missing', 'picture_level', 'network_wrong'],
  }),
  'networks/look': route({
    summary: 'Lets one image flow through a network and shows what chosen nodes make of it',
    request: z.object({
      text,
      /** Paths of the plan, e.g. `stage2/0/conv1`. */
      nodes: z.array(z.string().max(400)).min(1).max(networkFileLimits.lookNodes),
      /** The product's own sample, or an item of one of the member's data sets. */
      image: z.discriminatedUnion('from', [
        z.object({ from: z.literal('sample') }),
        z.object({ from: z.literal('dataset'), datasetId: id, itemId: id }),
      ]),
      /** A training run of this network whose weights are used; null = first weights from a fixed seed. */
      runId: id.nullable(),
    }),
    response: z.object({
      /** The image as the network was given it: a PNG data address. */
      image: z.string(),
      seen: z.array(seenSchema),
      /** Nodes of `nodes` that hold no picture (lists of numbers): their values, at most 64. */
      values: z.array(z.object({ node: z.string(), values: z.array(z.number()) })),
    }),
    errors: [
      'network_unreadable',
      'network_wrong',
      'dataset_missing',
      'run_missing',
      'train_first',
      'missing',
      'look_busy',
      'look_failed',
    ],
  }),
}
