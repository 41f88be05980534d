/**
 * The viewer of 4D flow on a study made in the page, or with `?run` on what a run would make of it, without a server. `?moments`: two
 * moments of it beside each other; `?beside=48`: beside another study of that side at half the speed.
 */
import { QueryClientProvider } from '@tanstack/react-query'
import { App as AntdApp, ConfigProvider } from 'antd'
import { useState } from 'react'
import { MomentsBeside } from '../../features/flow/beside/moments-beside.tsx'
import { StudiesBeside } from '../../features/flow/beside/studies-beside.tsx'
import { FlowViewer, type FlowViewerProps } from '../../features/flow/viewer/flow-viewer.tsx'
import { makeQueryClient } from '../../lib/query.ts'
import { useIsDark } from '../../ui/hooks/use-look.ts'
import { Page, PageHeader } from '../../ui/page.tsx'
import { makeTheme } from '../../ui/theme.ts'
import { knownRun, knownSections } from './known-run.ts'
import { type Known, knownStudy } from './known-study.ts'

export function DevFlow() {
  const isDark = useIsDark()
  const [queries] = useState(makeQueryClient)
  const [query] = useState(() => new URLSearchParams(location.search))
  return (
    <ConfigProvider theme={makeTheme({ isDark, hasMotion: true })} button={{ autoInsertSpace: false }}>
      <QueryClientProvider client={queries}>
        <AntdApp component={false}>
          <main id="content">
            <Page>
              <PageHeader title="Known flow" />
              <Shown query={query} />
            </Page>
          </main>
        </AntdApp>
      </QueryClientProvider>
    </ConfigProvider>
  )
}

function Shown({ query }: { query: URLSearchParams }) {
  const [bench] = useState(() => known(query))
  if (query.has('moments')) return <MomentsBeside source={bench.source} frames={[5, 0]} />
  return query.has('beside') ? <Both query={query} /> : <FlowViewer {...bench} />
}

function Both({ query }: { query: URLSearchParams }) {
  const [sources] = useState(() => {
    const slower = new URLSearchParams(query)
    slower.set('side', query.get('beside') || '64')
    slower.set('pace', '0.5')
    return [sourceOf('Known flow', knownStudy(query)), sourceOf('Slower flow', knownStudy(slower))] as const
  })
  return <StudiesBeside sources={sources} />
}

const sourceOf = (name: string, { head, file }: Known) => ({
  ...{ key: name, name, head, values: URL.createObjectURL(file) },
})

function known(query: URLSearchParams): FlowViewerProps {
  const study = knownStudy(query)
  if (!query.has('run')) return { source: sourceOf('Known flow', study) }
  return {
    source: knownRun(study),
    sections: knownSections(study),
    onKeepFigure: async (png, caption) => console.info('kept', png.size, caption),
    onKeepSections: (sections) => console.info('kept', sections.length),
  }
}
