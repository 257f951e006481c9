// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/findings/mending.h"

#include "backend/layouts/layout.h"
#include "backend/monitor/session.h"

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::Mending)
};

} // namespace

Mending mendingOf(const LiveFinding& live, const Session& session)
{
    Mending mending;
    mending.target = live.handle == noHandle ? nullptr : session.state(live.handle);
    const Layout* layout =
        mending.target ? findLayout(mending.target->primitive->id.layout) : nullptr;
    if (!layout || live.finding.action.isEmpty())
        return mending;
    mending.action = findAction(*layout, live.finding.action);
    if (mending.action && !session.canAct())
        mending.whyNot = Text::tr("this session can only read");
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
