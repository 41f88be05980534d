import { ownToolId, type PanelName, tools } from '@neuroloom/contract/toolbox/toolbox'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearchParams } from 'react-router'
import { ToolHistory } from '../../features/toolbox/tool-history.tsx'
import { ToolList } from '../../features/toolbox/tool-list.tsx'
import { useCall } from '../../lib/query.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { UpgradeLink } from '../../ui/limits/upgrade-link.tsx'
import { Loading } from '../../ui/loading.tsx'
import { Page, PageHeader } from '../../ui/page.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { OwnToolPage, toolPanels } from './panels.tsx'

/** `/toolboxHome`: all tools; `?tab=history`: what was done with them; `?tool=`: one of them. */
export function ToolboxHome() {
  const [search] = useSearchParams()
  const { key } = useLocation()
  const own = ownToolId(search.get('tool') ?? '')
  const name = panelNamed(search.get('tool'))
  if (own !== null)
    return (
      <Page>
        <OwnToolPage key={`${own} ${key}`} id={own} />
      </Page>
    )
  if (name) return <OneTool key={`${name} ${key}`} name={name} />
  return <Tools tab={search.get('tab') === 'history' ? 'history' : 'tools'} />
}

const panelNamed = (text: string | null): PanelName | undefined =>
  tools.flatMap((tool) => ('page' in tool ? [] : [tool.name])).find((name) => name === text)

function Tools({ tab }: { tab: 'tools' | 'history' }) {
  const { t } = useTranslation('toolbox')
  const tabs = [
    { key: 'tools', label: t('tabs.tools'), to: '/toolboxHome' },
    { key: 'history', label: t('tabs.history'), to: '/toolboxHome?tab=history' },
  ] as const
  return (
    <Page>
      <PageHeader
        title={t('title')}
        name={tab === 'tools' ? t('title') : `${t('tabs.history')} · ${t('title')}`}
        subtitle={t('subtitle')}
      />
      <TabLinks label={t('tabs.label')} tabs={tabs} current={tab} />
      {tab === 'tools' ? <AllTools /> : <ToolHistory />}
    </Page>
  )
}

function AllTools() {
  const { data, error, refetch } = useCall('toolbox/home', {}, { quiet: true })
  const own = useCall('toolbox/ownTools', {}, { quiet: true })
  // Those of members may come later, or not at all: the others are there.
  if (data) return <ToolList home={data} own={own.data?.tools ?? []} />
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  return <Loading shape="cards" count={4} />
}

function OneTool({ name }: { name: PanelName }) {
  const { t } = useTranslation(['toolbox', 'errors'])
  const { data, error, refetch } = useCall('toolbox/home', {}, { quiet: true })
  const Panel = toolPanels[name]
  return (
    <Page>
      <PageHeader
        title={t(`tool.${name}.title`)}
        subtitle={t(`tool.${name}.text`)}
        back={{ to: '/toolboxHome', label: t('title') }}
      />
      {error && !data && <ErrorState error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading shape="page" />}
      {data?.unavailable.includes(name) && (
        <EmptyState
          title={t('errors:application_unavailable')}
          text={t('unavailable')}
          action={
            <>
              <Link to="/tutorial/registration#levels">{t('levels')}</Link>
              <UpgradeLink />
            </>
          }
        />
      )}
      {data && !data.unavailable.includes(name) && <Panel />}
    </Page>
  )
}
