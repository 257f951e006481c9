// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/actions/deploymentline.h"

#include "backend/session/session.h"
#include "widgets/controls/environmentbadge.h"
#include "widgets/controls/labels/elidedlabel.h"

#include <QHBoxLayout>

namespace lk {

QLayout* deploymentLine(const Session& session)
{
    auto* name = new ElidedLabel;
    name->setObjectName(QStringLiteral("deployment"));
    name->setText(session.title());
    auto* line = new QHBoxLayout;
    line->setSpacing(8);
    if (!session.environment().isEmpty()) {
        auto* badge = new EnvironmentBadge;
        badge->setLabel(session.environment());
        line->addWidget(badge);
    }
    line->addWidget(name, 1);
    return line;
}

} // namespace lk
