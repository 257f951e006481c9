// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"
#include "widgets/board/listboard.h"

class QLabel;
class QMenu;
class QToolButton;

namespace lk {

class AlertDetail;
class AlertModel;
class FilterBar;
class SessionAlerts;

/// The board of alerts: open, acknowledged, silenced and past ones, the actions on them, and the
/// rules that raise them.
class AlertsPage final : public ListBoard
{
    Q_OBJECT

public:
    explicit AlertsPage(QWidget* parent = nullptr);

    BoardBadge badge() const override;
    bool shows(const BoardTarget& target) const override;
    void open(const BoardTarget& target) override;
    void selectFirst() override;

protected:
    void build() override;
    void sessionChanged() override;
    void activeChanged() override;
    void fitColumns() override;
    RowsText csvOf(const std::vector<int>& rows) const override;

private:
    SessionAlerts* alerts() const;
    AlertsPtr shownAlerts() const;
    qint64 shownLocalMs() const;
    void buildTable();
    void buildBar();
    void refresh();
    void applyFilter();
    void updateCounts();
    void updateEmptyState();
    void updateNote();
    void showDetail();
    void restoreSelection();
    void acknowledge();
    void silence();
    void endSilence();
    Handle shownHandle(const Alert& alert) const;
    bool isRecorded(const Alert& alert) const;
    void activate();
    void goToObject();
    void editQuietHours();
    void listSilences();
    void goToMoment();
    void editRules();
    void fillTestMenu();
    void onTested(const QByteArray& target, const QString& problem);
    void exportCsv();
    void showMenu(const QPoint& position);
    QByteArrayList selectedOpen() const;
    AlertPtr current() const;

    AlertModel* m_model = nullptr;
    FilterBar* m_filter = nullptr;
    QToolButton* m_rules = nullptr;
    QToolButton* m_more = nullptr;
    QMenu* m_tests = nullptr;
    AlertDetail* m_detail = nullptr;
    QLabel* m_note = nullptr;
    QString m_tested; ///< the result of the last test
    QByteArray m_selected;
    QPointer<SessionAlerts> m_heard; ///< the object whose signals are connected
    QPointer<Session> m_deployment;  ///< likewise; the live one
};

} // namespace lk
