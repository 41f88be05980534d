/** Every token and every piece of `ui` in every state, for those who build pages: /dev/ui of `npm run dev`, in English. */
import { QueryClientProvider } from '@tanstack/react-query'
import { App as AntdApp, ConfigProvider } from 'antd'
import { type ReactNode, useState } from 'react'
import { makeQueryClient } from '../../lib/query.ts'
import { useIsDark } from '../../ui/hooks/use-look.ts'
import { LanguageSelect } from '../../ui/look/language-select.tsx'
import { LookChoice } from '../../ui/look/look-choice.tsx'
import { LookToggle } from '../../ui/look/look-toggle.tsx'
import { Page, PageHeader, Panel } from '../../ui/page.tsx'
import { makeTheme } from '../../ui/theme.ts'
import { Controls } from './controls.tsx'
import styles from './dev-ui.module.css'
import { pieces } from './pieces.tsx'
import { Tokens } from './tokens.tsx'

export function DevUi() {
  const isDark = useIsDark()
  const [queries] = useState(makeQueries)
  return (
    <ConfigProvider theme={makeTheme({ isDark, hasMotion: true })} button={{ autoInsertSpace: false }}>
      <QueryClientProvider client={queries}>
        <AntdApp component={false}>
          <main id="content">
            <Page>
              <PageHeader
                title="Pieces of the product"
                subtitle="Each in its states. What is not here is not for other pages to use."
                actions={
                  <>
                    <LanguageSelect />
                    <LookToggle />
                    <LookChoice />
                  </>
                }
              />
              <div className={styles.list}>
                <Tokens />
                {Object.entries(pieces).map(([file, Piece]) => (
                  <Shown key={file} title={file}>
                    <Piece />
                  </Shown>
                ))}
                <Shown title="Ant Design in our theme">
                  <Controls />
                </Shown>
              </div>
            </Page>
          </main>
        </AntdApp>
      </QueryClientProvider>
    </ConfigProvider>
  )
}

/** Nobody has signed in here: what pieces ask the server is answered already. */
function makeQueries() {
  const queries = makeQueryClient()
  queries.setDefaultOptions({ queries: { staleTime: Number.POSITIVE_INFINITY } })
  queries.setQueryData(['plans/shared', {}], { datasets: { used: 2, limit: 2 } })
  queries.setQueryData(['plans/used', { names: ['projects'] }], {
    limits: [{ name: 'projects', used: 5, limit: 6 }],
  })
  return queries
}

function Shown({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Panel title={title}>
      <div className={styles.states}>{children}</div>
    </Panel>
  )
}
