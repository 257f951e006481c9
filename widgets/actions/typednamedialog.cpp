// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/typednamedialog.h"

#include "widgets/controls/input/dangerbutton.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QLabel>
#include <QLineEdit>

namespace lk {

TypedNameDialog::TypedNameDialog(const QString& name, QWidget* parent)
    : QDialog(parent)
{
    setWindowTitle(tr("Write mode – Lockkeeper"));
    auto* title = new QLabel(tr("Turn on write mode on production?"), this);
    title->setFont(uiFont(TextSize::Title));
    auto* text = new QLabel(tr("This window will be able to change the server. Type its name to "
                               "continue: %1")
                                .arg(name),
                            this);
    text->setWordWrap(true);
    text->setTextFormat(Qt::PlainText);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* field = new QLineEdit(this);
    field->setAccessibleName(tr("Name of the server"));
    field->setPlaceholderText(name);
    auto* cancel = new QPushButton(tr("Cancel"), this);
    auto* turnOn = new DangerButton(this);
    turnOn->setText(tr("&Turn on"));
    turnOn->setDangerous(true);
    turnOn->setEnabled(false);
    // Return turns it on from the field; on Cancel it cancels, which therefore stays an automatic
    // default.
    turnOn->setDefault(true);
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(turnOn, &QPushButton::clicked, this, &QDialog::accept);
    connect(field, &QLineEdit::textChanged, turnOn,
            [turnOn, name](const QString& typed) { turnOn->setEnabled(typed.trimmed() == name); });
    auto* buttons = rowOf(8, {BoxStretch{}, cancel, turnOn});
    columnIn(this, {16, 16, 16, 16}, 8, {title, text, field, BoxStretch{}, BoxGap{8}, buttons});
    setMinimumWidth(440);
    field->setFocus();
}

} // namespace lk
