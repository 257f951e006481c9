// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/findings/livefindings.h"
#include "widgets/board/listboard.h"

class QCheckBox;
class QLabel;

namespace lk {

class ExportButton;
class FilterBar;
class FindingDetail;
class FindingModel;

/// The board of hazards: all that the rules see in the session's data, worst first. While the
/// pointer is over the table its rows stand still.
class FindingsPage final : public ListBoard
{
    Q_OBJECT

public:
    explicit FindingsPage(QWidget* parent = nullptr);

    BoardBadge badge() const override;
    bool shows(const BoardTarget& target) const override;
    void open(const BoardTarget& target) override;
    void selectFirst() override;
    void select(quint64 id);
    void exportCsv();
    void fix(); ///< opens the step that fixes the selected one

protected:
    void build() override;
    void sessionChanged() override;
    void activeChanged() override;
    void fitColumns() override;
    RowsText csvOf(const std::vector<int>& rows) const override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void offerCommands();
    void buildTable();
    void buildBar();
    QWidget* buildFoot();
    void refresh();
    void applyFilter();
    void updateCounts();
    void updateEmptyState();
    void restoreSelection();
    void selectCarried();
    void showDetail();
    void onSelectionChanged();
    void applyFix(quint64 id);
    void silence(const LiveFindingPtr& live);
    void goToObject(quint64 id);
    void showMenu(const QPoint& position);

    FindingModel* m_model = nullptr;
    FilterBar* m_filter = nullptr;
    ExportButton* m_export = nullptr;
    FindingDetail* m_detail = nullptr;
    QLabel* m_note = nullptr;
    QCheckBox* m_silenced = nullptr;
    quint64 m_selected = 0;
    LiveFindingPtr m_carried; ///< selected at another time: its like is, once it is there
};

} // namespace lk
