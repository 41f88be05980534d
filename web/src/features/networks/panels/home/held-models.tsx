import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { useAction, useCall } from '../../../../lib/query.ts'
import list from '../../../../ui/list.module.css'
import styles from './home.module.css'

/** Networks of models that the member has from the shop: each opens as a copy of one's own. */
export function HeldModels() {
  const { t } = useTranslation('shop')
  const setting = useCall('setting/public', {}, { quiet: true })
  const { data } = useCall('shop/held', {}, { quiet: true, enabled: setting.data?.host === 0 })
  const navigate = useNavigate()
  const copy = useAction('shop/open', {
    refresh: ['networks/mine', 'networks/list'],
    onDone: ({ networkId }) => void navigate(`/dripe?id=${networkId}`),
  })
  const models = data?.models.filter(({ way }) => way !== 'own') ?? []
  if (models.length === 0) return null
  return (
    <section className={styles.own} aria-label={t('dripe.title')}>
      <div className={styles.ownHead}>
        <h2>{t('dripe.title')}</h2>
      </div>
      <table className={list.list} aria-label={t('dripe.title')}>
        <tbody>
          {models.map(({ id, name, seller }) => (
            <tr key={id}>
              <td>
                <Link to={`/merchandiseDetail?id=${id}`}>{name}</Link>
                <small>{seller}</small>
              </td>
              <td className={list.actions}>
                <Button
                  loading={copy.isPending && copy.variables.id === id}
                  onClick={() => copy.mutate({ id })}
                >
                  {t('dripe.open')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
