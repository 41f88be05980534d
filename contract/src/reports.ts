/** The report of a finished test, cross-validation or flow run: the same sections make the page and the PDF, in the reader's language. */
import * as z from 'zod'
import { claimItems } from './claim.ts'
import { flowItems } from './flow/checklist.ts'
import { languageSchema } from './language.ts'
import { route } from './route.ts'
import { statementSchema } from './statements.ts'

const id = z.string().min(1).max(40)

/** Where in the report something stands: a section, or a line that has a name of its own. */
const anchor = z.string().regex(/^[a-zA-Z]+$/)

/** What became of an item of a checklist. */
const claimStates = ['answered', 'notStated', 'notApplicable'] as const

export const reportBlockSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string(), anchor: anchor.optional() }),
  /** What the reader must keep in mind. */
  z.object({ kind: z.literal('notes'), notes: z.array(z.string()) }),
  z.object({
    kind: z.literal('facts'),
    facts: z.array(z.object({ label: z.string(), value: z.string(), anchor: anchor.optional() })),
  }),
  z.object({
    kind: z.literal('table'),
    caption: z.string(),
    head: z.array(z.string()),
    rows: z.array(z.array(z.string())),
    anchor: anchor.optional(),
  }),
  /** What a journal asks for, and where it stands. */
  z.object({
    kind: z.literal('checklist'),
    caption: z.string(),
    /** How many items are answered, of those that apply. */
    text: z.string(),
    items: z.array(
      z.object({
        number: z.int(),
        item: z.enum([...claimItems, ...flowItems]),
        name: z.string(),
        state: z.enum(claimStates),
        /** The state in words; of what does not apply the reason too. */
        note: z.string(),
        /** Where the answer stands; null where there is none. */
        anchor: anchor.nullable(),
        /** The question whose answer is missing. */
        question: statementSchema.nullable(),
      }),
    ),
    /** How a page is named, with `{page}` for its number. */
    page: z.string(),
  }),
  /** Drawings that stand alone; `text` says in words what is to be seen. */
  z.object({
    kind: z.literal('drawings'),
    drawings: z.array(
      z.object({
        caption: z.string(),
        text: z.string(),
        svg: z.string(),
        width: z.number(),
        height: z.number(),
      }),
    ),
  }),
  z.object({
    kind: z.literal('pictures'),
    text: z.string(),
    /** Two beside each other, not six: what they show is small. */
    isLarge: z.boolean().optional(),
    pictures: z.array(
      z.object({
        url: z.string(),
        /** Lies over the picture and covers it whole: where the network looked. */
        heat: z.string().nullable().default(null),
        name: z.string(),
        caption: z.string(),
      }),
    ),
  }),
])
export type ReportBlock = z.infer<typeof reportBlockSchema>

export const reportSections = [
  'summary',
  'study',
  'scan',
  'data',
  'split',
  'network',
  'corrections',
  'quality',
  'methods',
  'settings',
  'training',
  'results',
  'planes',
  'pictures',
  'limits',
  'origin',
  'claim',
] as const
export type ReportSection = (typeof reportSections)[number]

export const reportSchema = z.object({
  runId: z.string(),
  projectId: z.string(),
  /** Of a cross-validation, whose run is a training. */
  isCross: z.boolean(),
  isFlow: z.boolean(),
  title: z.string(),
  subtitle: z.string(),
  sections: z.array(
    z.object({ id: z.enum(reportSections), title: z.string(), blocks: z.array(reportBlockSchema) }),
  ),
  /** Whether this member's level lets the PDF be downloaded (bronze and up), and without watermark (gold). */
  mayDownload: z.boolean(),
  hasWatermark: z.boolean(),
})
export type Report = z.infer<typeof reportSchema>

export const reportCalls = {
  'reports/show': route({
    summary: 'The report of a finished test, cross-validation or flow run, in a language',
    request: z.object({ id, language: languageSchema }),
    response: reportSchema,
    errors: ['run_missing', 'report_not_ready'],
  }),
  'reports/download': route({
    summary: 'A short-lived link to the report as PDF, in a language',
    request: z.object({ id, language: languageSchema }),
    response: z.object({ url: z.string(), name: z.string() }),
    errors: ['run_missing', 'report_not_ready', 'report_level'],
  }),
}
