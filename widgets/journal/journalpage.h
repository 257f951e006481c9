// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/acting/journal/journalreader.h"
#include "widgets/board/listboard.h"

#include <QTimer>

class QLineEdit;

namespace lk {

class ExportButton;
class JournalDetail;
class JournalModel;

/// The board of past actions: every step from this account, newest first, with any outcome.
class JournalPage final : public ListBoard
{
    Q_OBJECT

public:
    explicit JournalPage(QWidget* parent = nullptr);

    void selectFirst() override;

protected:
    void build() override;
    void sessionChanged() override;
    void activeChanged() override;
    void fitColumns() override;
    RowsText csvOf(const std::vector<int>& rows) const override;
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildTable();
    QWidget* buildBar();
    void read();
    void showUntilThen();
    void onRead(const JournalPtr& contents);
    void onFailed(const Error& error);
    void onSelection();
    void restore();
    void setOpen(int row, bool open);
    void updateEmpty();
    void focusFilter();
    void saveCsv();
    void saveJson();

    JournalModel* m_model = nullptr;
    QLineEdit* m_filter = nullptr;
    ExportButton* m_export = nullptr;
    JournalDetail* m_detail = nullptr;
    QTimer m_soon; ///< coalesces the receipts of many steps
    QString m_problem;
    QByteArray m_chosen; ///< receipt, or group
};

} // namespace lk
