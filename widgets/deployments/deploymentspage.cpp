// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/deployments/deploymentspage.h"

#include "backend/session/session.h"
#include "widgets/controls/input/searchfield.h"
#include "widgets/controls/tables/tablearrangement.h"
#include "widgets/deployments/allfindingsmodel.h"
#include "widgets/deployments/deploymentmodel.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QEvent>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>

using namespace Qt::StringLiterals;

namespace lk {

namespace {

constexpr int mostRowsShown = 8; // of deployments, before they scroll
constexpr int mostMeasured = 50;
constexpr int narrowestText = 220; // pixels; below it the table scrolls sideways

QLabel* title(const QString& text, QWidget* buddy)
{
    auto* label = new QLabel(text);
    label->setFont(uiFont(TextSize::Title));
    label->setBuddy(buddy);
    return label;
}

} // namespace

DeploymentsPage::DeploymentsPage(QWidget* parent)
    : QWidget(parent)
    , m_deployments(new DeploymentModel(this))
    , m_findings(new AllFindingsModel(this))
    , m_table(new FlatTable)
    , m_findingTable(new FlatTable)
    , m_filter(searchField(tr("Filter the findings of all deployments"),
                           tr("Filter by deployment, name or message")))
    , m_counts(new QLabel)
{
    setObjectName(QStringLiteral("deploymentsPage"));
    buildTables();
    m_filter->setMaximumWidth(360);
    m_counts->setForegroundRole(QPalette::PlaceholderText);
    auto* bar = rowOf(12, {title(tr("Findings of all deployments"), m_findingTable),
                           {m_filter, 1},
                           BoxStretch{},
                           m_counts});
    columnIn(this, {16, 16, 16, 16}, 8,
             {title(tr("Deployments"), m_table), m_table, BoxGap{8}, bar, {m_findingTable, 1}});
    connect(m_filter, &QLineEdit::textChanged, m_findings, &AllFindingsModel::setFilter);
    connect(m_table, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { openDeployment(index.row()); });
    connect(m_findingTable, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { openFinding(index.row()); });
    for (QAbstractItemModel* model : {static_cast<QAbstractItemModel*>(m_deployments),
                                      static_cast<QAbstractItemModel*>(m_findings)}) {
        connect(model, &QAbstractItemModel::modelReset, this, &DeploymentsPage::fitColumns);
        connect(model, &QAbstractItemModel::rowsInserted, this, &DeploymentsPage::fitColumns);
        connect(model, &QAbstractItemModel::rowsRemoved, this, &DeploymentsPage::fitColumns);
        connect(model, &QAbstractItemModel::dataChanged, this, &DeploymentsPage::fitColumns);
    }
}

void DeploymentsPage::buildTables()
{
    m_table->setObjectName(QStringLiteral("deploymentsTable"));
    m_table->setAccessibleName(tr("Deployments"));
    m_table->setModel(m_deployments);
    m_findingTable->setObjectName(QStringLiteral("allFindingsTable"));
    m_findingTable->setAccessibleName(tr("Findings of all deployments"));
    m_findingTable->setModel(m_findings);
    for (QTableView* table : {m_table, m_findingTable}) {
        table->installEventFilter(this);
        table->viewport()->installEventFilter(this);
    }
    m_table->setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    QStringList columns{u"name"_s, u"state"_s, u"findings"_s, u"alerts"_s, u"write"_s};
    for (const Kind kind : allKinds)
        columns << QString::fromLatin1(kindId(kind));
    m_arrangement = new TableArrangement(m_table, columns, u"deployments"_s);
    m_findingArrangement = new TableArrangement(
        m_findingTable, {u"severity"_s, u"deployment"_s, u"name"_s, u"message"_s}, u"findings"_s);
    for (TableArrangement* arrangement : {m_arrangement, m_findingArrangement})
        connect(arrangement, &TableArrangement::released, this, &DeploymentsPage::fitColumns);
}

void DeploymentsPage::setSessions(OpenSessions* sessions)
{
    m_sessions = sessions;
    m_deployments->setSessions(sessions);
    m_findings->setSessions(sessions);
}

void DeploymentsPage::setActive(bool active)
{
    m_findings->setActive(active);
    if (active)
        fitColumns();
}

void DeploymentsPage::selectFront()
{
    const int row = m_sessions ? m_sessions->placeOf(m_sessions->front()) : -1;
    m_table->setCurrentIndex(m_deployments->index(std::max(0, row), 0));
    m_table->setFocus();
}

void DeploymentsPage::openDeployment(int row)
{
    if (Session* session = m_deployments->session(row))
        emit wanted(session);
}

void DeploymentsPage::openFinding(int row)
{
    if (const DeploymentFinding* found = m_findings->at(row))
        emit targetWanted(found->session, FindingTarget{found->live->id});
}

// Numbers keep their width; the name and the message take the remaining room.
void DeploymentsPage::fitColumns()
{
    // Returns true if the table is wider than its viewport and scrolls sideways.
    const auto fit = [](FlatTable* table, TableArrangement* arrangement, int stretched) {
        int room = table->viewport()->width();
        for (int column = 0; column < table->model()->columnCount(); ++column) {
            if (column == stretched)
                continue;
            const int width =
                std::min(table->contentWidth(column, 0, mostMeasured), table->width() * 2 / 5);
            arrangement->resize(column, width);
            room -= table->columnWidth(column);
        }
        const int least = std::min(table->contentWidth(stretched, 0, mostMeasured), narrowestText);
        arrangement->resize(stretched, std::max(room, least));
        return room < table->columnWidth(stretched);
    };
    const bool scrolls = fit(m_table, m_arrangement, DeploymentModel::NameColumn);
    fit(m_findingTable, m_findingArrangement, AllFindingsModel::MessageColumn);
    m_table->fitHeight(std::clamp(m_deployments->rowCount(), 1, mostRowsShown), scrolls);
    updateCounts();
}

void DeploymentsPage::updateCounts()
{
    const QLocale locale;
    const qint64 all = m_findings->total();
    const qint64 shown = m_findings->rowCount();
    m_counts->setText(shown == all
                          ? locale.toString(all)
                          : tr("%1 of %2").arg(locale.toString(shown), locale.toString(all)));
}

bool DeploymentsPage::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize &&
        (watched == m_table->viewport() || watched == m_findingTable->viewport()))
        fitColumns();
    if (event->type() == QEvent::KeyPress && (watched == m_table || watched == m_findingTable)) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            const int row = static_cast<QTableView*>(watched)->currentIndex().row();
            if (watched == m_table)
                openDeployment(row);
            else
                openFinding(row);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace lk
