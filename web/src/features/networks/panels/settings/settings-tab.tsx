import { useMemo } from 'react'
import { useEditor } from '../../editor/use-editor.ts'
import { HeadSettings } from './head-settings.tsx'
import { InputSettings } from './input-settings.tsx'
import { ManySettings } from './many-settings.tsx'
import { NetworkSettings } from './network-settings.tsx'
import { NodeSettings } from './node-settings.tsx'
import { readSelection } from './selected.ts'

/** The settings of what is selected; with nothing selected, of the whole network. */
export function SettingsTab() {
  const document = useEditor((state) => state.document)
  const vocabulary = useEditor((state) => state.vocabulary)
  const selection = useEditor((state) => state.selection)
  const selected = useMemo(
    () => readSelection(document, vocabulary, selection),
    [document, vocabulary, selection],
  )
  switch (selected.kind) {
    case 'nothing':
      return <NetworkSettings />
    case 'input':
      return <InputSettings key={selected.name} name={selected.name} />
    case 'head':
      return <HeadSettings key={selected.name} name={selected.name} />
    case 'node':
      return <NodeSettings key={selected.node.path} node={selected.node} />
    case 'nodes':
      return <ManySettings nodes={selected.nodes} />
  }
}
