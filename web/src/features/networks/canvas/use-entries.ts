import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage, loadTexts } from '../../../lib/i18n.ts'
import { languages } from '../../../lib/language.ts'
import { useEditor } from '../editor/use-editor.ts'
import { type Entry, entriesOf, type LayerTexts } from './entries.ts'

/** All languages are searched at once, whichever one is shown. */
export function useEntries(): Entry[] {
  useTranslation('layers')
  const language = currentLanguage()
  const library = useEditor((state) => state.library)
  const own = useEditor(({ document }) => document.blocks)
  const { data: texts } = useQuery({
    queryKey: ['layer texts', language],
    queryFn: () => loadAll(language),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return useMemo(() => entriesOf({ library, own, texts: texts ?? [] }), [library, own, texts])
}

async function loadAll(first: string): Promise<LayerTexts[]> {
  const order = [...languages].sort((a, b) => Number(b === first) - Number(a === first))
  const files = await Promise.all(order.map((language) => loadTexts(language, 'layers')))
  return files.map((file) => (typeof file === 'string' ? {} : { ...file }))
}
