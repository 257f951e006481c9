// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/opensessions.h"
#include "widgets/board/boardtarget.h"
#include "widgets/controls/tables/flattable.h"

class QLabel;
class QLineEdit;

namespace lk {

class AllFindingsModel;
class DeploymentModel;
class Session;
class TableArrangement;

/// The overview over all open deployments: a row for each, and below the findings of all. Opening
/// an entry brings its deployment to the front. The page offers no actions.
class DeploymentsPage final : public QWidget
{
    Q_OBJECT

public:
    explicit DeploymentsPage(QWidget* parent = nullptr);

    void setSessions(OpenSessions* sessions); ///< not owned
    void setActive(bool active);              ///< on screen
    void selectFront();                       ///< the row of the one in front gets the focus

signals:
    void wanted(lk::Session* session);
    void targetWanted(lk::Session* session, const lk::BoardTarget& target);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildTables();
    void openDeployment(int row);
    void openFinding(int row);
    void fitColumns();
    void updateCounts();

    OpenSessions* m_sessions = nullptr;
    DeploymentModel* m_deployments;
    AllFindingsModel* m_findings;
    FlatTable* m_table;
    FlatTable* m_findingTable;
    TableArrangement* m_arrangement = nullptr;
    TableArrangement* m_findingArrangement = nullptr;
    QLineEdit* m_filter;
    QLabel* m_counts;
};

} // namespace lk
