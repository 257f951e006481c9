// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/deployments/allfindingsmodel.h"

#include "backend/core/names/namefilter.h"
#include "backend/core/redactedname.h"
#include "backend/findings/findings.h"
#include "backend/session/sessionfindings.h"
#include "widgets/controls/environmentbadge.h"
#include "widgets/controls/severitystyle.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"
#include "widgets/theme/theme.h"

#include <QGuiApplication>

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

} // namespace

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
    std::vector<Row> rows;
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
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return a.live->finding.severity > b.live->finding.severity;
    });
    const bool same =
        rows.size() == m_rows.size() &&
        std::equal(rows.begin(), rows.end(), m_rows.begin(), [](const Row& a, const Row& b) {
            return a.session == b.session && a.live->id == b.live->id;
        });
    if (same) {
        m_rows = std::move(rows);
        if (!m_rows.empty())
            emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnTotal - 1));
        return;
    }
    beginResetModel();
    m_rows = std::move(rows);
    endResetModel();
}

const AllFindingsModel::Row* AllFindingsModel::row(int row) const
{
    return row >= 0 && row < rowCount() && m_rows[size_t(row)].session ? &m_rows[size_t(row)]
                                                                       : nullptr;
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

int AllFindingsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int AllFindingsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(ColumnTotal);
}

QVariant AllFindingsModel::data(const QModelIndex& index, int role) const
{
    const Row* found = index.isValid() ? row(index.row()) : nullptr;
    if (!found)
        return {};
    const Finding& finding = found->live->finding;
    const QPalette palette = QGuiApplication::palette();
    const int column = index.column();
    if (role == Qt::FontRole)
        return column == NameColumn ? QVariant(monoFont(TextSize::Body)) : QVariant();
    if (role == Qt::ToolTipRole)
        return plainTip(QStringLiteral("%1\n%2\n%3")
                            .arg(found->session->title(), shownName(finding), finding.message));
    if (role == Qt::DecorationRole && column == SeverityColumn)
        return severityIcon(finding.severity, palette);
    if (role == Qt::DecorationRole && column == DeploymentColumn) {
        const QString& environment = found->session->environment();
        const EnvironmentStyle style = environmentStyle(environment);
        return environment.isEmpty() ? QVariant() : icon(style.icon, style.role, palette);
    }
    if (role == Qt::DecorationRole && column == NameColumn)
        return icon(found->live->boardless || finding.ofServer ? QStringLiteral("server")
                                                               : kindIconName(found->live->kind),
                    ColorRole::Second, palette);
    if (role != Qt::DisplayRole)
        return {};
    switch (column) {
    case SeverityColumn:
        return severityWord(finding.severity);
    case DeploymentColumn:
        return found->session->name();
    case NameColumn:
        return shownName(finding).left(longestName);
    default:
        return finding.message;
    }
}

QVariant AllFindingsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case SeverityColumn:
        return tr("Severity");
    case DeploymentColumn:
        return tr("Deployment");
    case NameColumn:
        return tr("Name");
    default:
        return tr("Message");
    }
}

} // namespace lk
