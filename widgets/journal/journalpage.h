// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/journalreader.h"
#include "widgets/board/board.h"
#include "widgets/controls/tables/flattable.h"

#include <QTimer>

class QLineEdit;
class QStackedLayout;

namespace lk {

class EmptyState;
class ExportButton;
class JournalDetail;
class JournalModel;
class PaneSplitter;
class TableArrangement;

/// The board of past actions: every step from this account, newest first, with any outcome.
class JournalPage final : public Board
{
    Q_OBJECT

public:
    explicit JournalPage(QWidget* parent = nullptr);

    void selectFirst() override;

    QTableView* table() const { return m_table; } ///< null before the board is built

protected:
    void build() override;
    void sessionChanged() override;
    void activeChanged() override;
    QVariantMap arrangement() const override;
    void arrange(const QVariantMap& state) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildTable();
    void fitColumns();
    QWidget* buildBar();
    void read();
    void showUntilThen();
    void onRead(const JournalPtr& contents);
    void onFailed(const Error& error);
    void onSelection();
    void restore();
    void setOpen(int row, bool open);
    void updateEmpty();
    void updateIcons();
    void focusFilter();
    void copySelection();
    void saveCsv();
    void saveJson();

    JournalModel* m_model = nullptr;
    QLineEdit* m_filter = nullptr;
    QAction* m_search = nullptr;
    ExportButton* m_export = nullptr;
    FlatTable* m_table = nullptr;
    TableArrangement* m_arrangement = nullptr;
    PaneSplitter* m_splitter = nullptr;
    EmptyState* m_empty = nullptr;
    QStackedLayout* m_stack = nullptr;
    JournalDetail* m_detail = nullptr;
    QTimer m_soon; ///< coalesces the receipts of many steps
    QString m_problem;
    QByteArray m_chosen; ///< receipt, or group
    bool m_restoring = false;
};

} // namespace lk
