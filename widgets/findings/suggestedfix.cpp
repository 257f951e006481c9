// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/findings/suggestedfix.h"

#include "backend/actions/catalog/catalog.h"
#include "backend/layouts/layout.h"
#include "backend/session/session.h"

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::SuggestedFix)
};

} // namespace

SuggestedFix mendingOf(const LiveFinding& live, const Session& session)
{
    SuggestedFix mending;
    mending.target = live.handle == noHandle ? nullptr : session.state(live.handle);
    const Layout* layout =
        mending.target ? findLayout(mending.target->primitive->id.layout) : nullptr;
    if (!layout || live.finding.action.isEmpty())
        return mending;
    mending.action = findAction(*layout, live.finding.action);
    if (mending.action && !session.canAct())
        mending.whyNot = Text::tr("this session is read-only");
    else if (mending.action)
        mending.whyNot = mending.action->unavailable(*mending.target);
    return mending;
}

QString silencingToml(const QByteArray& code, const QByteArrayList& silenced)
{
    QByteArrayList codes = silenced;
    if (!codes.contains(code))
        codes << code;
    return QStringLiteral("[check]\nsilence = [\"%1\"]")
        .arg(QString::fromLatin1(codes.join("\", \"")));
}

} // namespace lk
