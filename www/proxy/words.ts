/** What the proxy itself says in an answer, in the languages that the widget speaks. */

interface Words {
  /** Before quotes. */
  quoting: string
  /** Before anything that stands in for a model's answer. */
  down: string
  /** Before quotes that stand in for it, after `down`. */
  instead: string
}

const WORDS: Record<string, Words> = {
  en: {
    quoting: 'From this site:',
    down: 'The assistant cannot answer right now.',
    instead: 'From this site, word for word:',
  },
  de: {
    quoting: 'Von dieser Website:',
    down: 'Der Assistent kann gerade nicht antworten.',
    instead: 'Von dieser Website, Wort für Wort:',
  },
  fr: {
    quoting: 'Sur ce site :',
    down: 'L’assistant ne peut pas répondre pour le moment.',
    instead: 'Sur ce site, mot pour mot :',
  },
  es: {
    quoting: 'En este sitio:',
    down: 'El asistente no puede responder en este momento.',
    instead: 'En este sitio, palabra por palabra:',
  },
  ja: {
    quoting: 'このサイトより:',
    down: 'ただいまアシスタントは回答できません。',
    instead: 'このサイトの記載をそのまま引用します:',
  },
  ar: {
    quoting: 'من هذا الموقع:',
    down: 'لا يستطيع المساعد الإجابة الآن.',
    instead: 'من هذا الموقع حرفيًّا:',
  },
}

/** The words of a language code such as `de` or `de-AT`; English where there are none. */
export function wordsOf(language: string): Words {
  return WORDS[language.toLowerCase().split(/[-_]/)[0] ?? ''] ?? (WORDS.en as Words)
}
