// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"

#include <QDialog>
#include <QPointer>

class QLabel;
class QPushButton;
class QStandardItemModel;
class QTableView;

namespace lk {

class Session;
class SessionAlerts;

/// Lists everything that is silenced, even without an alert, and ends silences.
class SilencesDialog final : public QDialog
{
    Q_OBJECT

public:
    SilencesDialog(Session* session, QWidget* parent);

    /// Over the window of that widget; it deletes itself.
    static SilencesDialog* open(Session* session, QWidget* over);

private:
    void fill();
    void endSelected();

    QPointer<Session> m_session;
    QPointer<SessionAlerts> m_alerts;
    std::vector<Silence> m_shown; ///< by row
    QStandardItemModel* m_model;
    QTableView* m_table;
    QLabel* m_none;
    QPushButton* m_end;
};

} // namespace lk
