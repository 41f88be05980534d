import { structurePicture } from '@neuroloom/contract/network/picture/picture'
import { readYaml } from '@neuroloom/contract/network/yaml/yaml'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ErrorState } from '../../ui/error-state.tsx'
import { Loading } from '../../ui/loading.tsx'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import styles from './gallery.module.css'
import { addressOf } from './gallery-drawing.ts'
import { loadLibrary } from './library.ts'

/** The structure of a network by its document, in the words of the page's language. */
export function NetworkDrawing({ text, name }: { text: string; name: string }) {
  const { t, i18n } = useTranslation('layers')
  const { data, error, refetch } = useQuery({
    queryKey: ['network-drawing', text, i18n.language],
    queryFn: async () => {
      const vocabulary = await loadLibrary()
      const { document } = readYaml(text)
      if (document === null) throw new Error('The network cannot be read')
      const titles = (key: string) => t(key, { defaultValue: '' })
      return structurePicture({ ...document, title: name }, { vocabulary, titles })
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  if (!data) return <Loading count={3} />
  return (
    <ScrollRegion name={name} className={styles.drawing}>
      <img src={addressOf(data.svg)} alt={name} draggable={false} />
    </ScrollRegion>
  )
}
