// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"
#include "widgets/board/board.h"

class QLabel;
class QMenu;
class QStackedLayout;
class QTableView;
class QToolButton;

namespace lk {

class AlertDetail;
class AlertModel;
class EmptyState;
class FilterBar;
class PaneSplitter;
class SessionAlerts;
class TableArrangement;

/// The board of alerts: open, acknowledged, silenced and past ones, the actions on them, and the
/// rules that raise them.
class AlertsPage final : public Board
{
    Q_OBJECT

public:
    explicit AlertsPage(QWidget* parent = nullptr);

    BoardBadge badge() const override;
    bool shows(const BoardTarget& target) const override;
    void open(const BoardTarget& target) override;
    void selectFirst() override;

    QTableView* table() const { return m_table; } ///< null before the board is built

protected:
    void build() override;
    void sessionChanged() override;
    void activeChanged() override;
    QVariantMap arrangement() const override;
    void arrange(const QVariantMap& state) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    SessionAlerts* alerts() const;
    AlertsPtr shownAlerts() const;
    qint64 shownLocalMs() const;
    void buildTable();
    void buildBar();
    void fitColumns();
    void refresh();
    void applyFilter();
    void updateCounts();
    void updateEmptyState();
    void updateIcons();
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
    void copySelection();
    void showMenu(const QPoint& position);
    QByteArrayList selectedOpen() const;
    AlertPtr current() const;

    AlertModel* m_model = nullptr;
    FilterBar* m_filter = nullptr;
    QTableView* m_table = nullptr;
    TableArrangement* m_arrangement = nullptr;
    PaneSplitter* m_splitter = nullptr;
    QToolButton* m_rules = nullptr;
    QToolButton* m_more = nullptr;
    QMenu* m_tests = nullptr;
    EmptyState* m_empty = nullptr;
    QStackedLayout* m_stack = nullptr;
    AlertDetail* m_detail = nullptr;
    QLabel* m_note = nullptr;
    QString m_tested; ///< the result of the last test
    QByteArray m_selected;
    QPointer<SessionAlerts> m_heard; ///< the object whose signals are connected
    QPointer<Session> m_deployment;  ///< likewise; the live one
    bool m_restoring = false;
};

} // namespace lk
