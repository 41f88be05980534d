/** The report of a finished test: the same sections make the page and the PDF, in the reader's language. */
import * as z from 'zod'
import { languageSchema } from './language.ts'
import { route } from './route.ts'

const id = z.string().min(1).max(40)

export const reportBlockSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: z.string() }),
  /** What the reader must keep in mind. */
  z.object({ kind: z.literal('notes'), notes: z.array(z.string()) }),
  z.object({ kind: z.literal('facts'), facts: z.array(z.object({ label: z.string(), value: z.string() })) }),
  z.object({
    kind: z.literal('table'),
    caption: z.string(),
    head: z.array(z.string()),
    rows: z.array(z.array(z.string())),
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
  'data',
  'split',
  'network',
  'settings',
  'training',
  'results',
  'pictures',
  'limits',
  'origin',
] as const
export type ReportSection = (typeof reportSections)[number]

export const reportSchema = z.object({
  runId: z.string(),
  projectId: z.string(),
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
    summary: 'The report of a finished test, in a language',
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
