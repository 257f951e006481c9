// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/board/exportbutton.h"

#include "widgets/theme/icon.h"

#include <QEvent>
#include <QMenu>

namespace lk {

ExportButton::ExportButton(QWidget* parent)
    : QToolButton(parent)
{
    setText(tr("Export"));
    setAccessibleName(tr("Export"));
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setPopupMode(InstantPopup);
    setAutoRaise(true);
    setMenu(new QMenu(this));
    updateIcon();
}

void ExportButton::add(const QString& way, std::function<void()> run)
{
    menu()->addAction(way, this, std::move(run));
}

void ExportButton::updateIcon()
{
    setIcon(lk::icon(QStringLiteral("export"), palette()));
}

void ExportButton::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        updateIcon();
    QToolButton::changeEvent(event);
}

} // namespace lk
