/** Names that a member of each language would give to the samples. Data only. */
export type Language = 'en' | 'zh' | 'ru'

type Words = {
  segmentation: { name: string; description: string }
  classification: { name: string; description: string }
  empty: { name: string; description: string }
  folders: [cells: string, shapes: string]
  networks: { unet: string; broken: string }
  labels: {
    folder: string
    set: string
    volume: string
    about: string
    classes: [cell: string, edge: string, inside: string]
  }
}

export const samples: Record<Language, Words> = {
  en: {
    segmentation: { name: 'Outline cells', description: 'Where are the cells in a microscope field?' },
    classification: { name: 'Cell shapes', description: 'Round, elongated or clustered?' },
    empty: { name: 'Lung nodules', description: 'Outline nodules in CT slices' },
    folders: ['Microscope fields', 'Cell shapes'],
    networks: { unet: 'U-Net for cells', broken: 'First try' },
    labels: {
      folder: 'Cell fields',
      set: 'Cells to mark',
      volume: 'Phantoms to mark',
      about: 'Every cell; a box where the edge cuts it off',
      classes: ['Cell', 'Cut off', 'Inside'],
    },
  },
  zh: {
    segmentation: { name: '勾画细胞', description: '显微视野中细胞在哪里？' },
    classification: { name: '细胞形态', description: '圆形、长形还是成簇？' },
    empty: { name: '肺结节', description: '在 CT 切片中勾画结节' },
    folders: ['显微视野', '细胞形态'],
    networks: { unet: '细胞 U-Net', broken: '初次尝试' },
    labels: {
      folder: '细胞视野',
      set: '待标注的细胞',
      volume: '待标注的体模',
      about: '标出每个细胞；被边缘截断的用矩形框',
      classes: ['细胞', '被截断', '内部'],
    },
  },
  ru: {
    segmentation: { name: 'Контуры клеток', description: 'Где на снимке микроскопа клетки?' },
    classification: { name: 'Форма клеток', description: 'Круглые, вытянутые или в скоплении?' },
    empty: { name: 'Очаги в лёгких', description: 'Обвести очаги на срезах КТ' },
    folders: ['Поля микроскопа', 'Форма клеток'],
    networks: { unet: 'U-Net для клеток', broken: 'Первая проба' },
    labels: {
      folder: 'Снимки клеток',
      set: 'Клетки для разметки',
      volume: 'Фантомы для разметки',
      about: 'Каждая клетка; у края снимка — прямоугольник',
      classes: ['Клетка', 'Обрезана краем', 'Внутри'],
    },
  },
}
