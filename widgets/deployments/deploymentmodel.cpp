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

#include <QFont>
#include <QLocale>

namespace lk {

namespace {

using Row = QPointer<Session>;

QString nameText(const Row& session)
{
    const QString& environment = session->environment();
    return environment.isEmpty() ? session->name()
                                 : QStringLiteral("%1  (%2)").arg(session->name(), environment);
}

RowColumn<Row> wordColumn(const QString& title, StatusWord (*word)(const Session&))
{
    return {.title = title,
            .text = [word](const Row& session) { return word(*session).text; },
            .icon =
                [word](const Row& session) {
                    const StatusWord its = word(*session);
                    return its.iconName.isEmpty()
                               ? QIcon()
                               : icon(its.iconName, its.role, QGuiApplication::palette());
                }};
}

StatusWord accessWord(const Session& session)
{
    return session.acting().isWriteModeOn()
               ? StatusWord{QStringLiteral("unlock"), ColorRole::Warning,
                            DeploymentModel::tr("write mode")}
               : StatusWord{{}, {}, DeploymentModel::tr("read-only")};
}

RowColumn<Row> kindColumn(Kind kind)
{
    return {.title = kindPluralTitle(kind),
            .text =
                [kind](const Row& session) {
                    const SummaryPtr& summary = session->board().summary();
                    return summary ? QLocale().toString(summary->of(kind).total)
                                   : QStringLiteral("\u2013");
                },
            .isNumber = true,
            .icon =
                [kind](const Row& session) {
                    const SummaryPtr& summary = session->board().summary();
                    const Health worst = summary ? summary->of(kind).worst() : Health::Ok;
                    return worst >= Health::Warning ? healthIcon(worst, QGuiApplication::palette())
                                                    : QIcon();
                }};
}

RowColumns<Row> deploymentColumns()
{
    RowColumns<Row> columns{
        {.title = DeploymentModel::tr("Deployment"),
         .text = nameText,
         .icon =
             [](const Row& session) {
                 return environmentIcon(session->environment(), QGuiApplication::palette());
             },
         .tip =
             [](const Row& session) {
                 return session->title() + QLatin1Char('\n') + deploymentText(*session);
             },
         .spoken = [](const Row& session) { return deploymentText(*session); }},
        wordColumn(DeploymentModel::tr("Connection"), connectionWord),
        wordColumn(DeploymentModel::tr("Highest severity"), worstFindingWord),
        wordColumn(DeploymentModel::tr("Alerts"), alertsWord),
        wordColumn(DeploymentModel::tr("Access"), accessWord)};
    std::ranges::transform(allKinds, std::back_inserter(columns), kindColumn);
    return columns;
}

} // namespace

DeploymentModel::DeploymentModel(QObject* parent)
    : RowModel(deploymentColumns(), parent)
{}

void DeploymentModel::setSessions(OpenSessions* sessions)
{
    m_sessions = sessions;
    connect(sessions, &OpenSessions::changed, this, &DeploymentModel::rebuild);
    rebuild();
}

void DeploymentModel::rebuild()
{
    const QList<Session*> all = m_sessions->all();
    std::vector<Row> sessions(all.begin(), all.end());
    if (sessions == rows())
        return reportChanged(0, rowCount() - 1); // another is in front
    for (const Row& session : rows()) {
        if (session)
            session->disconnectAll(this);
        if (session && session->alerts())
            session->alerts()->disconnect(this);
    }
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
    resetRows(std::move(sessions));
}

void DeploymentModel::update(const Session* session)
{
    const int row = rowWhere([&](const Row& one) { return one == session; });
    if (row >= 0)
        reportChanged(row, row);
}

Session* DeploymentModel::session(int row) const
{
    return at(row) ? at(row)->data() : nullptr;
}

const QPointer<Session>* DeploymentModel::at(int row) const
{
    const Row* found = RowModel::at(row);
    return found && *found ? found : nullptr;
}

QVariant DeploymentModel::data(const QModelIndex& index, int role) const
{
    const Session* session = index.isValid() ? this->session(index.row()) : nullptr;
    if (role != Qt::FontRole || index.column() != NameColumn || !session || !m_sessions ||
        session != m_sessions->front())
        return RowModel::data(index, role);
    QFont font = QGuiApplication::font();
    font.setWeight(QFont::DemiBold);
    return font;
}

} // namespace lk
