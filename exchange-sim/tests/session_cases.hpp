// SPDX-License-Identifier: Apache-2.0
// Exchanges of messages on one session, as text, and what plays them.
#pragma once

#include <string>
#include <vector>

namespace fixaccel::exchange {

// Each begins with a Logon that begins the numbers anew, and ends with a TestRequest and a Logout, unless it
// says otherwise: so a message too many or a number out of step fails it. A line is one of
//   > TYPE FIELDS       sent with the next MsgSeqNum; FIELDS with | between them, <TIME> is UTC now
//   >N TYPE FIELDS      sent with MsgSeqNum N, which leaves the next as it is
//   >+N TYPE FIELDS     N numbers are skipped, and it goes on from there
//   ! BYTES             sent as they are, | for the end of a field
//   ! {VERSION}FIELDS   sent with BeginString VERSION and both sums right, whatever the fields are
//   < TYPE FIELDS       the next message has that type and those fields; * is any value, - is none: no such
//   field closed              the venue ends the connection
struct SessionCase {
    std::string name;  // as QuickFIX's definitions have it
    std::vector<std::string> lines;
    bool logs_on = true;   // the Logon at the begin
    bool logs_out = true;  // the end
};

const std::vector<SessionCase>& logon_cases();
const std::vector<SessionCase>& number_cases();
const std::vector<SessionCase>& field_cases();

}  // namespace fixaccel::exchange
