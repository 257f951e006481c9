// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/controls/input/searchfield.h"

#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"

#include <QAction>

namespace lk {

QLineEdit* searchField(const QString& name, const QString& placeholder)
{
    auto* field = new QLineEdit;
    field->setAccessibleName(name);
    field->setPlaceholderText(placeholder);
    field->setClearButtonEnabled(true);
    QAction* glass = field->addAction(QIcon(), QLineEdit::LeadingPosition);
    followPalette(field, [field, glass] {
        glass->setIcon(icon(QStringLiteral("search"), ColorRole::Second, field->palette()));
    });
    return field;
}

} // namespace lk
