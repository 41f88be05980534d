import { useTranslation } from 'react-i18next'
import { DragSlider } from '../features/accounts/entrance/drag-slider.tsx'
import { LinkVisit } from '../features/files/sharing/link-visit.tsx'
import { Page } from '../ui/page.tsx'

/** What a link shows, open without signing in. The secret stands behind `#`, which browsers send to nobody. */
export function ShareFile() {
  const { t } = useTranslation('sharing')
  const token = new URLSearchParams(window.location.hash.slice(1)).get('s') ?? ''
  return (
    <Page>
      <title>{t('linkPage')}</title>
      <LinkVisit token={token} slider={(onProof) => <DragSlider purpose="link" onProof={onProof} />} />
    </Page>
  )
}
