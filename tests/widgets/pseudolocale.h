// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QLabel>
#include <QPixmap>
#include <QScrollArea>
#include <QScrollBar>
#include <QTranslator>

namespace lk::test {

/// Every text with other letters and 40 % longer, as a language may be. Places, mnemonics and file
/// patterns stay.
class PseudoTranslator final : public QTranslator
{
public:
    bool isEmpty() const override { return false; }
    QString translate(const char*, const char* source, const char*, int) const override
    {
        const QString text = QString::fromUtf8(source);
        if (text.contains(QLatin1String("(*."))) // a file dialog's filter
            return text;
        QString pseudo;
        qsizetype letters = 0;
        for (qsizetype i = 0; i < text.size(); ++i) {
            const QChar c = text[i];
            if (c == QLatin1Char('%') && i + 1 < text.size()) { // a place: %1, %L2, %n
                pseudo += c;
                do
                    pseudo += text[++i];
                while (i + 1 < text.size() && text[i] == QLatin1Char('L'));
                continue;
            }
            letters += c.isLetter() ? 1 : 0;
            pseudo += accented(c);
        }
        for (qsizetype more = (letters * 2 + 4) / 5, i = 0; i < more; ++i)
            pseudo += i % 8 == 0 && more > 8 ? QLatin1Char(' ') : QLatin1Char('x');
        return pseudo;
    }

private:
    static QChar accented(QChar c)
    {
        static const QString plain = QStringLiteral("aeioucnsyAEIOUCNSY");
        static const QString marked =
            QStringLiteral("\u00e1\u00e9\u00ed\u00f3\u00fa\u00e7\u00f1\u0161\u00fd"
                           "\u00c1\u00c9\u00cd\u00d3\u00da\u00c7\u00d1\u0160\u00dd");
        const qsizetype at = plain.indexOf(c);
        return at < 0 ? c : marked[at];
    }
};

/// The visible widgets that are too small for their text.
inline QStringList clippedIn(QWidget& window)
{
    QStringList clipped;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->visibleRegion().isEmpty())
            continue;
        if (const auto* label = qobject_cast<const QLabel*>(widget)) {
            if (label->text().isEmpty() || !label->pixmap(Qt::ReturnByValue).isNull())
                continue;
            const bool fits = label->wordWrap()
                                  ? label->heightForWidth(label->width()) <= label->height() + 1
                                  : label->sizeHint().width() <= label->width() + 1;
            if (!fits)
                clipped << QStringLiteral("label: ") + label->text();
        } else if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) {
            if (!button->text().isEmpty() &&
                button->minimumSizeHint().width() > button->width() + 1)
                clipped << QStringLiteral("button: ") + button->text();
        } else if (const auto* scroll = qobject_cast<const QScrollArea*>(widget)) {
            if (scroll->widget() && scroll->widget()->width() > scroll->viewport()->width() &&
                !scroll->horizontalScrollBar()->isVisible())
                clipped << QStringLiteral("pane: ") + scroll->accessibleName();
        }
    }
    return clipped;
}

} // namespace lk::test
