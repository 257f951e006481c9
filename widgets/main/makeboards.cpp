// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/main/makeboards.h"

#include "widgets/alerts/alertspage.h"
#include "widgets/boards/boardpage.h"
#include "widgets/findings/findingspage.h"
#include "widgets/journal/journalpage.h"
#include "widgets/overview/overviewpage.h"
#include "widgets/server/serverpage.h"

namespace lk {

std::vector<Board*> makeBoards()
{
    std::vector<Board*> boards{new OverviewPage};
    for (const Kind kind : allKinds)
        boards.push_back(new BoardPage(kind));
    boards.push_back(new FindingsPage);
    boards.push_back(new AlertsPage);
    boards.push_back(new ServerPage);
    boards.push_back(new JournalPage);
    return boards;
}

} // namespace lk
