// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/board/exportbutton.h"

#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"

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
    followPalette(this, [this] { setIcon(lk::icon(QStringLiteral("export"), palette())); });
}

void ExportButton::add(const QString& way, std::function<void()> run)
{
    menu()->addAction(way, this, std::move(run));
}

} // namespace lk
