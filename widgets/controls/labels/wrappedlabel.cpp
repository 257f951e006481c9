// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/labels/wrappedlabel.h"

#include <QLabel>

namespace lk {

QLabel* wrappedLabel(const QString& text)
{
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    label->setText(text);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setFocusPolicy(Qt::NoFocus);
    return label;
}

QLabel* wrappedLabel(const QString& text, const QFont& font)
{
    QLabel* label = wrappedLabel(text);
    label->setFont(font);
    return label;
}

} // namespace lk
