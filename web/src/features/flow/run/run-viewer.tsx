import type { Display } from '@neuroloom/contract/displays'
import type { FlowKind } from '@neuroloom/contract/flow/options'
import type { FlowSection } from '@neuroloom/contract/flow/run'
import type { FlowRunDetail } from '@neuroloom/contract/flow/run-calls'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAction } from '../../../lib/query.ts'
import { toast } from '../../../lib/toast.ts'
import { FlowViewer } from '../viewer/flow-viewer.tsx'
import { sourceOf, startOf } from './source-of.ts'

type Props = {
  detail: FlowRunDetail
  /** Of the project: what is shown first. */
  displays: readonly Display[]
  mayChange: boolean
  onKeepSections: (sections: FlowSection[]) => void
}

/** The viewer on what a run made of its study. */
export function RunViewer({ detail, displays, mayChange, onKeepSections }: Props) {
  const { t } = useTranslation('flow-run')
  const queries = useQueryClient()
  const { run, asked, study, sections } = detail
  const keep = useAction('flow/keepFigure', {
    refresh: ['flow/run'],
    onDone: () => toast.success(t('figures.kept')),
  })
  const keepFigure = async (png: Blob, caption: string) => {
    await keep.mutateAsync({ runId: run.id, caption, png: await base64Of(png) })
  }
  return (
    <FlowViewer
      source={sourceOf(detail, study.name)}
      start={{ ...startOf(detail), kinds: shownFirst(asked.kinds, displays) }}
      sections={sections}
      provenance={{ run: run.number, asked }}
      onAgain={() => queries.refetchQueries({ queryKey: ['flow/run', { id: run.id }] })}
      {...(mayChange ? { onKeepSections, onKeepFigure: keepFigure } : {})}
    />
  )
}

const kindOf: Partial<Record<Display, FlowKind>> = { vortex: 'vortex', fluid_line: 'fluidLine' }

/** Of the kinds that were computed those that the project shows; all where it shows none of them. */
function shownFirst(kinds: readonly FlowKind[], displays: readonly Display[]): readonly FlowKind[] {
  const wanted = displays.flatMap((display) => kindOf[display] ?? [])
  const shown = kinds.filter((kind) => wanted.includes(kind))
  return shown.length > 0 ? shown : kinds
}

/** What stands behind "data:image/png;base64,". */
async function base64Of(blob: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
  return url.slice(url.indexOf(',') + 1)
}
