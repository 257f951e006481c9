// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/findings/suggestedfix.h"

#include "backend/libraries/api/action.h"
#include "backend/libraries/api/layout.h"
#include "backend/session/session.h"
#include "backend/session/sessionacting.h"
#include "backend/session/sessionstates.h"

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::SuggestedFix)
};

} // namespace

SuggestedFix suggestedFixFor(const LiveFinding& live, const Session& session)
{
    SuggestedFix fix;
    fix.target = live.handle == noHandle ? nullptr : session.states().at(live.handle);
    const Layout* layout = fix.target ? findLayout(fix.target->primitive->id.layout) : nullptr;
    if (!layout || live.finding.action.isEmpty())
        return fix;
    fix.action = findAction(*layout, live.finding.action);
    if (fix.action && session.isPast())
        fix.whyNot = Text::tr("this is the past");
    else if (fix.action && !session.acting().canAct())
        fix.whyNot = Text::tr("this session is read-only");
    else if (fix.action)
        fix.whyNot = fix.action->unavailable(*fix.target);
    return fix;
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
