// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/deployments/allfindingsmodel.h"

#include "backend/core/names/namefilter.h"
#include "backend/core/redactedname.h"
#include "backend/findings/findings.h"
#include "backend/session/sessionfindings.h"
#include "widgets/controls/environmentbadge.h"
#include "widgets/controls/severitystyle.h"
#include "widgets/theme/icon.h"

#include <algorithm>

namespace lk {

namespace {

constexpr int longestName = 200;

bool fits(const Session& session, const Finding& f, const NameFilter& text)
{
    return text.fits(session.name()) || text.fits(f.code) ||
           (f.group ? text.fits(f.name) : isFoundBy(f.kind, f.name, text)) ||
           isFoundBy(f.kind, f.key, text) || text.fits(f.message);
}

QIcon severityIconOf(const DeploymentFinding& row)
{
    return severityIcon(row.live->finding.severity, QGuiApplication::palette());
}

QIcon kindIconOf(const DeploymentFinding& row)
{
    const LiveFinding& live = *row.live;
    return icon(live.boardless || live.finding.ofServer ? QStringLiteral("server")
                                                        : kindIconName(live.kind),
                ColorRole::Second, QGuiApplication::palette());
}

QString tipText(const DeploymentFinding& row)
{
    const Finding& finding = row.live->finding;
    return QStringLiteral("%1\n%2\n%3")
        .arg(row.session->title(), shownName(finding), finding.message);
}

RowColumns<DeploymentFinding> allFindingsColumns()
{
    using Row = DeploymentFinding;
    return RowColumns<DeploymentFinding>{
        {.title = AllFindingsModel::tr("Severity"),
         .text = [](const Row& row) { return severityWord(row.live->finding.severity); },
         .icon = severityIconOf,
         .tip = tipText},
        {.title = AllFindingsModel::tr("Deployment"),
         .text = [](const Row& row) { return row.session->name(); },
         .icon =
             [](const Row& row) {
                 return environmentIcon(row.session->environment(), QGuiApplication::palette());
             },
         .tip = tipText},
        {.title = AllFindingsModel::tr("Name"),
         .text = [](const Row& row) { return shownName(row.live->finding).left(longestName); },
         .isMono = always<Row>,
         .icon = kindIconOf,
         .tip = tipText},
        {.title = AllFindingsModel::tr("Message"),
         .text = [](const Row& row) { return row.live->finding.message; },
         .tip = tipText}};
}

} // namespace

AllFindingsModel::AllFindingsModel(QObject* parent)
    : RowModel(allFindingsColumns(), parent)
{}

void AllFindingsModel::setSessions(OpenSessions* sessions)
{
    m_sessions = sessions;
    connect(sessions, &OpenSessions::changed, this, &AllFindingsModel::listen);
    listen();
}

void AllFindingsModel::listen()
{
    for (Session* session : std::as_const(m_heard)) {
        if (session)
            session->disconnectAll(this);
    }
    const QList<Session*> all = m_sessions->all();
    m_heard = QList<QPointer<Session>>(all.begin(), all.end());
    for (Session* session : all)
        connect(&session->findings(), &SessionFindings::changed, this, &AllFindingsModel::rebuild);
    rebuild();
}

void AllFindingsModel::setFilter(const QString& text)
{
    m_filter = text.trimmed();
    rebuild();
}

void AllFindingsModel::setActive(bool active)
{
    m_active = active;
    rebuild();
}

void AllFindingsModel::rebuild()
{
    std::vector<DeploymentFinding> rows;
    const NameFilter text(m_filter);
    for (Session* session : m_active ? std::as_const(m_heard) : QList<QPointer<Session>>()) {
        if (!session || !session->findings().latest())
            continue;
        size_t taken = 0;
        for (const LiveFindingPtr& live : session->findings().latest()->rows) {
            if (live->finding.silenced || taken == mostOfOne)
                break; // the silenced ones come last
            if (!fits(*session, live->finding, text))
                continue;
            rows.push_back({session, live});
            ++taken;
        }
    }
    std::ranges::stable_sort(rows, std::greater(), [](const DeploymentFinding& row) {
        return row.live->finding.severity;
    });
    setRows(std::move(rows), [](const DeploymentFinding& row) {
        return std::pair(row.session.data(), row.live->id);
    });
}

const DeploymentFinding* AllFindingsModel::at(int row) const
{
    const DeploymentFinding* found = RowModel::at(row);
    return found && found->session ? found : nullptr;
}

qint64 AllFindingsModel::total() const
{
    qint64 all = 0;
    for (const Session* session : m_heard) {
        if (session && session->findings().latest())
            all += session->findings().latest()->total();
    }
    return all;
}

} // namespace lk
