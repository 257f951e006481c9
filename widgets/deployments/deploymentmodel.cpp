// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/deployments/deploymentmodel.h"

#include "backend/session/sessionacting.h"
#include "backend/session/sessionalerts.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionpolling.h"
#include "backend/text/kindtitles.h"
#include "widgets/controls/environmentbadge.h"
#include "widgets/controls/severitystyle.h"
#include "widgets/deployments/deploymentstatus.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/plaintip.h"

#include <QFont>
#include <QGuiApplication>
#include <QLocale>

namespace lk {

void DeploymentModel::setSessions(OpenSessions* sessions)
{
    m_sessions = sessions;
    connect(sessions, &OpenSessions::changed, this, &DeploymentModel::rebuild);
    rebuild();
}

void DeploymentModel::rebuild()
{
    const QList<Session*> all = m_sessions->all();
    if (m_rows.size() == all.size() &&
        std::equal(all.begin(), all.end(), m_rows.begin(),
                   [](const Session* a, const QPointer<Session>& b) { return a == b; })) {
        if (!m_rows.isEmpty()) // another is in front
            emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        return;
    }
    beginResetModel();
    for (Session* session : std::as_const(m_rows)) {
        if (session)
            session->disconnectAll(this);
        if (session && session->alerts())
            session->alerts()->disconnect(this);
    }
    m_rows = QList<QPointer<Session>>(all.begin(), all.end());
    for (Session* session : all) {
        const auto changed = [this, session] { update(session); };
        connect(session, &Session::statusChanged, this, changed);
        connect(&session->board(), &SessionBoard::summaryChanged, this, changed);
        connect(&session->findings(), &SessionFindings::changed, this, changed);
        connect(&session->acting(), &SessionActing::writeModeChanged, this, changed);
        connect(&session->polling(), &SessionPolling::pausedChanged, this, changed);
        connect(session, &Session::reported, this, changed);
        if (const SessionAlerts* alerts = session->alerts())
            connect(alerts, &SessionAlerts::changed, this, changed);
    }
    endResetModel();
}

void DeploymentModel::update(const Session* session)
{
    for (int row = 0; row < rowCount(); ++row) {
        if (m_rows[row] == session)
            emit dataChanged(index(row, 0), index(row, columnCount() - 1));
    }
}

Session* DeploymentModel::session(int row) const
{
    return m_rows.value(row).data();
}

int DeploymentModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

int DeploymentModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : FirstKindColumn + int(allKinds.size());
}

QVariant DeploymentModel::data(const QModelIndex& index, int role) const
{
    const Session* session = index.isValid() ? this->session(index.row()) : nullptr;
    if (!session)
        return {};
    const int column = index.column();
    const QPalette palette = QGuiApplication::palette();
    const bool isFront = m_sessions && session == m_sessions->front();
    if (role == Qt::FontRole && column == NameColumn && isFront) {
        QFont font = QGuiApplication::font();
        font.setWeight(QFont::DemiBold);
        return font;
    }
    if (role == Qt::AccessibleTextRole && column == NameColumn)
        return deploymentText(*session);
    if (role == Qt::ToolTipRole && column == NameColumn)
        return plainTip(session->title() + QLatin1Char('\n') + deploymentText(*session));
    if (role == Qt::TextAlignmentRole && column >= FirstKindColumn)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole && role != Qt::DecorationRole)
        return {};
    const bool icons = role == Qt::DecorationRole;
    const auto cell = [&](const StatusWord& word) -> QVariant {
        if (!icons)
            return word.text;
        return word.iconName.isEmpty() ? QVariant()
                                       : QVariant(icon(word.iconName, word.role, palette));
    };
    const SummaryPtr& summary = session->board().summary();
    switch (column) {
    case NameColumn: {
        const QString& environment = session->environment();
        const EnvironmentStyle style = environmentStyle(environment);
        if (icons)
            return environment.isEmpty() ? QVariant() : icon(style.icon, style.role, palette);
        return environment.isEmpty() ? session->name()
                                     : QStringLiteral("%1  (%2)").arg(session->name(), environment);
    }
    case StateColumn:
        return cell(connectionWord(*session));
    case FindingsColumn:
        return cell(worstFindingWord(*session));
    case AlertsColumn:
        return cell(alertsWord(*session));
    case WriteColumn:
        if (icons)
            return session->acting().isWriteModeOn()
                       ? QVariant(icon(QStringLiteral("unlock"), ColorRole::Warning, palette))
                       : QVariant();
        return session->acting().isWriteModeOn() ? tr("write mode") : tr("read-only");
    default:
        break;
    }
    if (!summary)
        return icons ? QVariant() : QVariant(QStringLiteral("\u2013"));
    const KindSummary& kind = summary->of(allKinds[size_t(column - FirstKindColumn)]);
    if (icons)
        return kind.worst() >= Health::Warning ? QVariant(healthIcon(kind.worst(), palette))
                                               : QVariant();
    return QLocale().toString(kind.total);
}

QVariant DeploymentModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole && section >= FirstKindColumn)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case NameColumn:
        return tr("Deployment");
    case StateColumn:
        return tr("Connection");
    case FindingsColumn:
        return tr("Highest severity");
    case AlertsColumn:
        return tr("Alerts");
    case WriteColumn:
        return tr("Access");
    default:
        return kindPluralTitle(allKinds[size_t(section - FirstKindColumn)]);
    }
}

} // namespace lk
